import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import { decode, detectEncoding } from '../workspace/encoding.ts'
import { binaryKind, looksBinary } from '../workspace/looks-binary.ts'
import { resolveWorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { readBytes, formatSize } from '../workspace/read-text.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { unifiedDiff, formatDiff } from './unified-diff.ts'

const input = z.object({
  file_a: z.string().min(1).describe('The one file: what is only there has a - in the diff.'),
  file_b: z.string().min(1).describe('The other file: what is only there has a +.'),
})

export function diffTool(workspaces: Workspaces): Tool {
  return defineTool({
    name: 'diff',
    description: 'Shows how two text files differ, as a unified diff.',
    inputSchema: input,
    idempotent: true,
    async execute({ file_a, file_b }, { context }) {
      const workspace = await workspaces.of(context)
      const [a, b] = await Promise.all([
        resolveWorkspacePath(workspace, file_a),
        resolveWorkspacePath(workspace, file_b),
      ])
      const [one, other] = await Promise.all([readBytes(a), readBytes(b)])
      const names = [a.displayPath, b.displayPath] as const
      const answer = (what: { readonly [key: string]: Json }, text: string) =>
        toolResult({
          output: { fileA: a.displayPath, fileB: b.displayPath, equal: false, ...what },
          text,
        })
      const between = names.join(' and ')
      if (Buffer.compare(one.bytes, other.bytes) === 0)
        return answer({ equal: true }, `${between} are equal.`)
      if (looksBinary(one.bytes) || looksBinary(other.bytes)) {
        const each = [one, other].map(
          ({ bytes }) => `${looksBinary(bytes) ? binaryKind(bytes) : 'text'}, ${formatSize(bytes.length)}`,
        )
        return answer(
          { binary: true },
          `${between} differ. They are not compared line by line: ${each.join('; ')}.`,
        )
      }
      const [before, after] = [one.bytes, other.bytes].map((bytes) => decode(bytes, detectEncoding(bytes)))
      const difference = await unifiedDiff(before ?? '', after ?? '', names)
      if (difference.added + difference.removed === 0) {
        return answer(
          { ...difference },
          `${between} have the same lines, and differ only in their encoding or in how lines end.`,
        )
      }
      return answer({ ...difference }, `${between} differ: ${formatDiff(difference)}`)
    },
  })
}
