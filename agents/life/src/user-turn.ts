/**
 * The turn in which what is stored of a user is read and then written (`lockTurn`): profile, memories and greetings
 * depend on one another.
 */
export function userTurn(userId: string): string {
  return `life ${userId}`
}
