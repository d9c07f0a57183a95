import { expect, it } from 'vitest'

import { createChatExtras } from './chat-extras.ts'

it.each([
  ['data:image/svg+xml;utf8,<svg/>', 'image/svg+xml', '<svg/>'],
  ['data:;base64,R0lGODlh\r\n', 'image/gif', 'GIF89a'],
  ['R0lGODlh', 'image/gif', 'GIF89a'],
])('takes a picture in any form of its address: %s', (url, mediaType, content) => {
  const [part] = createChatExtras()({ choices: [{ delta: { images: [{ image_url: { url } }] } }] })

  expect(part).toMatchObject({ type: 'file', mediaType })
  const data = part?.type === 'file' && part.data.type === 'data' ? String(part.data.data) : ''
  expect(Buffer.from(data, 'base64').toString()).toBe(content)
})

it('takes addresses of the web for sources, each once, and nothing that a page would run', () => {
  const urls = ['https://a.example/', 'javascript:alert(1)', 'data:text/html,x', 'https://a.example/']
  const annotations = urls.map((url) => ({ type: 'url_citation', url_citation: { url } }))
  const parts = createChatExtras()({
    choices: [{ delta: { annotations } }],
    citations: ['javascript:alert(2)'],
  })

  expect(parts).toMatchObject([{ type: 'source', url: 'https://a.example/' }])
})
