import { createClient } from '@dragoman/client/v1'

import { reach, toRequestError } from './request.ts'
import { basePath } from './server-url.ts'

/** The API of the server of this page. It throws a RequestError. */
export const client = createClient({ url: basePath, fetch: reach, toError: toRequestError })
