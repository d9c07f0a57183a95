import { chatRequest } from '../support/http.ts'
import { describeReaders } from './resume.contract.ts'

describeReaders('ui-message-stream', {
  body: {
    id: 'chat-1',
    trigger: 'submit-message',
    messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }],
  },
  chat: chatRequest('Go.', { conversationId: 'chat-1' }),
})
describeReaders('native', { body: { message: 'Go.' } })
