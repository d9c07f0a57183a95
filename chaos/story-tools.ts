import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

import {
  defineTool,
  ServiceError,
  toolResult,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '../packages/dragoman/src/index.ts'
import { IDEMPOTENT, type ToolName } from './story.ts'

/** The effect of a tool: a line in a file. `key` is the idempotency key that the server gave. */
export type ToolEffect = {
  readonly key: string
  readonly callId: string
  readonly place: string
  readonly tool: string
}

export const EFFECTS_FILE = 'effects.jsonl'

const input = z.object({ place: z.string(), before: z.number(), after: z.number() })
type Input = z.infer<typeof input>

/** The tools of the stories. Effects are appended to a file and synced before the tool returns. */
export function storyTools(file: string): readonly Tool[] {
  const tool = (
    name: ToolName,
    description: string,
    execute: (given: Input, call: ToolContext, act: () => Promise<void>) => Promise<void>,
  ): Tool =>
    defineTool({
      name,
      description,
      inputSchema: input,
      idempotent: IDEMPOTENT.has(name),
      needsApproval: name === 'ask',
      async execute(toolInput, call): Promise<ToolResult> {
        const { idempotencyKey: key, callId } = call
        await execute(toolInput, call, () =>
          append(file, { key, callId, place: toolInput.place, tool: name }),
        )
        // Pages read the output and others the text: the same, so that what all of them show can be compared.
        const text = `${name} at ${toolInput.place} 完成`
        return toolResult({ output: text, text })
      },
    })

  const abortable = async ({ before, after }: Input, { signal }: ToolContext, act: () => Promise<void>) => {
    await pause(before, undefined, { signal })
    await act()
    await pause(after, undefined, { signal })
  }
  return [
    tool('look', 'Reads only.', abortable),
    tool('write', 'Writes.', abortable),
    tool('ask', 'Writes, if it may.', abortable),
    tool('put', 'Writes what is there already if it was put before.', abortable),
    tool('deaf', 'Writes, and does not hear that it is to stop.', async ({ before, after }, _call, act) => {
      await pause(before)
      await act()
      await pause(after)
    }),
    tool('slow', 'Takes its time, says how it goes, and then writes.', async ({ before }, call, act) => {
      for (let elapsed = 0; elapsed < before; elapsed += 50) {
        await pause(50, undefined, { signal: call.signal })
        call.progress({ delta: `${elapsed} ` })
      }
      await act()
    }),
    tool('fail', 'Fails.', async ({ before, place }, { signal }) => {
      await pause(before, undefined, { signal })
      throw new ServiceError('tool-failed', `There is nothing at ${place}, 没有.`)
    }),
  ]
}

async function append(file: string, effect: ToolEffect): Promise<void> {
  const handle = await open(file, 'a')
  try {
    await handle.appendFile(`${JSON.stringify(effect)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
