import type { GuestAccess, Surface } from 'dragoman/modules'
import { dataStream, type Protocol } from 'dragoman/protocols'
import { answerRoutes } from 'dragoman/surfaces'
import { conversationRoutes } from './conversations/conversation-routes.ts'
import { markedText, marksAsDataStream } from './protocols/vibelife-marks/index.ts'
import type { LifeSettings } from './settings.ts'
import { chatVariant, vibeLifeChat } from './vibelife/vibelife-chat.ts'

/** Where VibeLife's clients look for its chat. */
const VIBELIFE = '/api/v1/chat/v5'
/** Where the pages of AI SDK 6 do. */
const CHAT = '/api/chat'
const CONVERSATIONS = '/api/v1/conversations'
/** Model calls in one run of a guest, at most. */
const GUEST_STEPS = 3

/** The chat that VibeLife documents, at both of its addresses, and its list of conversations. */
export function lifeSurfaces(agent: string, settings?: LifeSettings): Surface[] {
  const hasMarks = settings?.vibelifeStream === 'marks'
  const own = { agent, at: VIBELIFE, guestSteps: GUEST_STEPS }
  const toText = hasMarks ? { toText: markedText } : {}
  const protocolsFor = (protocols: ReadonlyMap<string, Protocol>): ReadonlyMap<string, Protocol> =>
    hasMarks ? new Map([...protocols, [dataStream.name, marksAsDataStream]]) : protocols
  return [
    {
      path: VIBELIFE,
      routes: (server) => vibeLifeChat({ ...server, protocols: protocolsFor(server.protocols), ...own }),
    },
    {
      path: CHAT,
      routes: (server) => {
        const protocols = protocolsFor(server.protocols)
        return answerRoutes({ ...server, protocols, agent, path: CHAT }, chatVariant(protocols))
      },
    },
    { path: CONVERSATIONS, routes: (server) => conversationRoutes({ ...server, agent, ...toText }) },
  ]
}

/** What guests may use of the life agent. */
export const lifeGuests: GuestAccess = {
  paths: [
    VIBELIFE,
    CHAT,
    CONVERSATIONS,
    '/api/v1/skills',
    '/api/fortune',
    '/api/v1/fortune',
    ...['chart', 'profile', 'memories', 'export', 'everything'].map((name) => `/life/${name}`),
  ],
  maxSteps: GUEST_STEPS,
}
