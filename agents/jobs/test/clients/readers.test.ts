import { describeReaders } from '../../../../test/clients/resume.contract.ts'
import { describeStops } from '../../../../test/surfaces/stops.contract.ts'
import { eve } from '../../src/protocols/eve/index.ts'
import { eveRequest } from '../support/eve-request.ts'

const chat = eveRequest('Go.', { conversationId: 'chat-1' })

describeReaders('eve', { body: eveRequest('Go.'), chat, protocols: [eve] })
describeStops('eve', {
  body: chat,
  end: /\n\ndata: \{"type":"finish","finishReason":"stop",.*\}\n\n$/,
  protocols: [eve],
})
