import * as fc from 'fast-check'

import { isFull } from './is-full.ts'

/** Generated cases are the same in each run unless FC_SEED is set, so unrelated changes never fail by chance. */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_122), numRuns: isFull ? 100 : 25 })
