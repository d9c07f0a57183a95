import { z } from 'zod'

import type { Json } from '../events/index.ts'

/**
 * Any value of a parsed body. It is JSON already, and `z.json()` would walk it for a second if it is large.
 *
 * @example
 * const body = z.object({ profile: anyJson })
 */
export const anyJson = z.unknown().refine((value) => value !== undefined) as unknown as z.ZodType<Json, Json>
