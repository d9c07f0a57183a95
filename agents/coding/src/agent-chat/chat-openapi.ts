import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import type { Protocol } from 'dragoman/protocols'
import { disconnectQuery, streamAnswer, wholeAnswer } from 'dragoman/surfaces'

export function chatOperation(protocol: Protocol): Operation {
  const protocols = new Map([[protocol.name, protocol]])
  const { headers = {}, ...stream } = streamAnswer(protocols)
  const { 'x-conversation-id': _none, ...answerHeaders } = headers
  const { json, examples } = wholeAnswer(protocols)
  return {
    group: 'Agent chat',
    summary: 'Ask the agent, once',
    description:
      'The client keeps the conversation and sends it along. The server keeps only the run, for ten minutes ' +
      'after its end. If the caller disconnects, the run and its tools end. A key in llmConfig is used for this ' +
      'request and is not stored.',
    query: z.object(disconnectQuery),
    body: protocol.body,
    responses: {
      200: { ...stream, headers: answerHeaders, ...(json && { json }), ...(examples && { examples }) },
    },
    errors: ['forbidden', 'unauthorized', 'too-large', 'unavailable'],
  }
}
