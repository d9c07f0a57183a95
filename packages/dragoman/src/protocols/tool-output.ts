import { isJsonObject, type Answer, type Json, type ToolEvent } from '../events/index.ts'

/**
 * A tool's output for clients of the AI SDK: text and data, or only the text if there are no data. Cards, and
 * data that contain the text, are sent as they are. The output of a client tool is returned unchanged.
 */
export function toToolOutput(output: Json, text: string, answer?: Answer): Json {
  if (answer?.kind === 'output') return output
  if (isCard(output) || (isJsonObject(output) && output['text'] === text)) return output
  return output === null || output === text ? text : { text, data: output }
}

/** A tool's output for clients that accept only text: the text for the model, or a card's JSON. */
export function toToolText(output: Json, text: string): string {
  return isCard(output) ? JSON.stringify(output) : text
}

/** A card has a text of its own for the user, because the text for the model may be instructions. */
function isCard(output: Json): boolean {
  return isJsonObject(output) && typeof output['cardType'] === 'string' && typeof output['text'] === 'string'
}

/**
 * Progress as the data part `tool-progress`: no other place for it exists in all clients of any version of the
 * AI SDK.
 */
export function toToolProgress({
  callId,
  delta,
  output,
}: Extract<ToolEvent, { type: 'tool.progressed' }>): Json {
  return {
    toolCallId: callId,
    ...(delta !== undefined && { delta }),
    ...(output !== undefined && { output }),
  }
}
