import { z } from 'zod'

import type { Json } from '../../events/index.ts'
import type { StandardSchema } from '../input-schema.ts'
import { toolResultFiles, toolResultText } from '../tool-result-output.ts'
import { toolResult } from '../tool-result.ts'
import type { ToolContext } from '../tool-context.ts'
import { defineTool, type Tool } from '../tool.ts'

/** An `AgentTool` of `@earendil-works/pi-agent-core`. */
export type PiTool = {
  readonly name: string
  readonly label: string
  readonly description: string
  /** A JSON Schema, as TypeBox makes it. */
  readonly parameters: object
  readonly replay?: 'never' | 'safe'
  readonly prepareArguments?: (input: unknown) => unknown
  readonly execute: (callId: string, input: never, signal: AbortSignal, onUpdate: never) => Promise<PiResult>
}

type PiResult = { readonly content: readonly object[]; readonly details: unknown }

export function isPiTool(value: object): value is PiTool {
  return 'parameters' in value && 'label' in value && 'execute' in value
}

/** Converts a tool of pi: the model reads the text of `content`, and `details` (or else that text) are the output. */
export function fromPi(name: string, tool: PiTool): Tool {
  return defineTool({
    name,
    description: tool.description,
    inputSchema: schemaOf(tool),
    idempotent: tool.replay === 'safe',
    execute: async (input, { callId, signal, progress }) => {
      const onUpdate = updatesTo(progress)
      const { content, details } = await tool.execute(callId, input as never, signal, onUpdate as never)
      const text = textOf(content)
      const files = await toolResultFiles({ type: 'content', value: content })
      return toolResult({ output: details === undefined ? text : details, text, files })
    },
  })
}

/**
 * The tool's JSON Schema, with a validator. Zod validates, because TypeBox is not a dependency. A schema that
 * Zod does not support accepts everything.
 */
function schemaOf(tool: PiTool): StandardSchema {
  let checker: z.ZodType | undefined
  return {
    '~standard': {
      version: 1,
      vendor: 'pi',
      validate(input) {
        const value = tool.prepareArguments ? tool.prepareArguments(input) : input
        checker ??= checkerFor(tool.parameters)
        const { error } = checker.safeParse(value)
        return error ? { issues: error.issues } : { value }
      },
      jsonSchema: { input: () => tool.parameters as Record<string, unknown> },
    },
  }
}

function checkerFor(parameters: object): z.ZodType {
  try {
    return z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    return z.unknown()
  }
}

/** An update contains all of the content so far; progress contains only the new part. */
function updatesTo(progress: ToolContext['progress']): (partial: PiResult) => void {
  let sentText = ''
  return ({ content, details }) => {
    const text = textOf(content)
    const delta = text.startsWith(sentText) ? text.slice(sentText.length) : text
    sentText = text
    progress({ delta, output: (details ?? null) as Json })
  }
}

function textOf(content: readonly object[]): string {
  return toolResultText({ type: 'content', value: content }) ?? ''
}
