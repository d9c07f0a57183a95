/**
 * The prefix of guests' user ids. Guests have no account. Their data is stored, with fewer steps and features
 * than for users.
 */
export const GUEST_PREFIX = 'guest_'

export function isGuest(userId: string): boolean {
  return userId.startsWith(GUEST_PREFIX)
}
