import type { GuestAccess, Surface } from 'dragoman/modules'
import { vibeLifeChat } from './vibelife/vibelife-chat.ts'

/** Where VibeLife's clients look for it. */
const VIBELIFE = '/api/v1/chat/v5'
/** Model calls in one run of a guest, at most. */
const GUEST_STEPS = 3

/** The chat that VibeLife documents. */
export function lifeSurfaces(agent: string): Surface[] {
  const own = { agent, at: VIBELIFE, guestSteps: GUEST_STEPS }
  return [{ path: VIBELIFE, routes: (server) => vibeLifeChat({ ...server, ...own }) }]
}

/** What guests may use of the life agent. */
export const lifeGuests: GuestAccess = {
  paths: [
    VIBELIFE,
    '/api/fortune',
    '/api/v1/fortune',
    ...['chart', 'profile', 'memories', 'export', 'everything'].map((name) => `/life/${name}`),
  ],
  maxSteps: GUEST_STEPS,
}
