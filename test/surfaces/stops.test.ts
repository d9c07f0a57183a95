import { describeStops } from './stops.contract.ts'

const text = 'Go.'

describeStops('ui-message-stream', {
  body: { id: 'chat-1', message: { role: 'user', parts: [{ type: 'text', text }] } },
  end: new RegExp(
    String.raw`"type":"abort"\}\n\nid: \S+\n` +
      String.raw`data: \{"type":"finish","finishReason":"stop","messageMetadata":` +
      String.raw`\{"stopped":true,"finishReason":"stop".*\}\n\n` +
      String.raw`id: \S+\ndata: \[DONE\]\n\n$`,
  ),
})
describeStops('data-stream', {
  body: { id: 'chat-1', message: { role: 'user', content: text, parts: [{ type: 'text', text }] } },
  end: /\n8:\[\{"stopped":true\}\]\nd:\{"finishReason":"stop",.*\}\n$/,
})
describeStops('native', { body: { message: text }, end: /"type":"run\.cancelled","by":"user".*\}\n\n$/ })
