import { expect, it } from 'vitest'

import { countTurns } from '../../../../test/support/count-turns.ts'
import { toolResultFiles } from './tool-result-output.ts'

it('reads a large file of a content in many turns of the event loop', async () => {
  const data = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(14_000_001)}`
  const files = toolResultFiles({ type: 'content', value: [{ type: 'media', data, mediaType: 'image/*' }] })

  expect(await countTurns(files)).toBeGreaterThan(3)
  expect(await files).toMatchObject([{ mediaType: 'image/png', content: { length: 10_500_009 } }])
})
