import { z } from 'zod'

import { defineTool, toolResult, type Tool, type ToolResult } from 'dragoman/agents'
import type { Json } from 'dragoman/events'
import { binaryKind, looksBinary } from '../workspace/looks-binary.ts'
import { resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { readBytes, formatSize } from '../workspace/read-text.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { inUserTurn, workOnText } from './text-work.ts'
import { formatDiff } from './unified-diff.ts'

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
    async execute({ file_a, file_b }, { context, userId, signal }) {
      const workspace = await workspaces.of(context)
      const [a, b] = await Promise.all([
        resolveWorkspacePath(workspace, file_a),
        resolveWorkspacePath(workspace, file_b),
      ])
      return inUserTurn(userId, signal, () => compareFiles(userId, a, b))
    },
  })
}

async function compareFiles(userId: string, a: WorkspacePath, b: WorkspacePath): Promise<ToolResult> {
  const [{ bytes: before }, { bytes: after }] = await Promise.all([readBytes(a), readBytes(b)])
  const names = [a.displayPath, b.displayPath] as const
  const answer = (what: { readonly [key: string]: Json }, text: string): ToolResult =>
    toolResult({ output: { fileA: a.displayPath, fileB: b.displayPath, equal: false, ...what }, text })
  const between = names.join(' and ')
  if (Buffer.compare(before, after) === 0) return answer({ equal: true }, `${between} are equal.`)
  if (looksBinary(before) || looksBinary(after)) {
    const each = [before, after].map(
      (bytes) => `${looksBinary(bytes) ? binaryKind(bytes) : 'text'}, ${formatSize(bytes.length)}`,
    )
    const sentence = `${between} differ. They are not compared line by line: ${each.join('; ')}.`
    return answer({ binary: true }, sentence)
  }
  const difference = await workOnText(userId, before.length + after.length, {
    name: 'compare',
    input: { before, after, names },
  })
  if (difference.added + difference.removed > 0)
    return answer({ ...difference }, `${between} differ: ${formatDiff(difference)}`)
  const sentence = `${between} have the same lines, and differ only in their encoding or in how lines end.`
  return answer({ ...difference }, sentence)
}
