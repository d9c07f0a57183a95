import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createModels } from '../../src/models/index.ts'
import { client } from '../support/http.ts'
import { openServer, type TestServer } from '../support/server.ts'
