import * as fc from 'fast-check'

import { isFull } from './is-full.ts'

/** Generated cases are the same each time, unless FC_SEED says otherwise: who changed something else is not told of what chance has found. */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_122), numRuns: isFull ? 100 : 25 })
