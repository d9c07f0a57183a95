import type { NewRun } from 'dragoman/events'

export const NETWORK_AGENT = 'lost'

/** A run in a thread of its own. */
export function networkRun(id: string): NewRun {
  return {
    id,
    threadId: `conv_${id}`,
    userId: 'ada',
    agent: NETWORK_AGENT,
    messageId: `msg_${id}`,
    request: { messageId: `msg_u_${id}`, input: [{ type: 'text', text: 'Speak.' }], context: {}, tools: [] },
    reply: { protocol: 'native', view: {} },
    onCrash: 'continue',
  }
}
