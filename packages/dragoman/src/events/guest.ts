/** How the ids of those begin who have no account: what they are shown and remember is kept for them, but few steps are taken and less is on offer. */
export const GUEST_PREFIX = 'guest_'

export function isGuest(userId: string): boolean {
  return userId.startsWith(GUEST_PREFIX)
}
