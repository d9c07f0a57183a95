import type { Json, ToolEvent } from '../events/index.ts'

/** What a tool returned, for the clients of the AI SDK: the words and the data, or the words alone where there are no data. */
export function toOutput(output: Json, text: string): Json {
  return output === null || output === text ? text : { text, data: output }
}

/** What a tool tells on its way, as the datum `tool-progress`: no version of the AI SDK has another place for it in all its clients. */
export function toProgress({ callId, delta, output }: Extract<ToolEvent, { type: 'tool.progressed' }>): Json {
  return {
    toolCallId: callId,
    ...(delta !== undefined && { delta }),
    ...(output !== undefined && { output }),
  }
}
