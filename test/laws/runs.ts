/** Always the same logs: what fails once fails again. */
export const RUNS = { numRuns: 200, seed: 20_261_122 }
