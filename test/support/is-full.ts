/**
 * True in `npm run test:full`. `npm test` runs the oldest and the newest of many client builds,
 * fewer generated cases, and skips what needs many processes or minutes.
 */
export const isFull = process.env['TEST_FULL'] !== undefined
