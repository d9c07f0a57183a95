import { isJsonObject, type Json, type ToolEvent } from '../events/index.ts'

/** A tool's output for clients that accept only text: the text for the model, or a card's JSON. */
export function toToolText(output: Json | undefined, text: string): string {
  return isCard(output) ? JSON.stringify(output) : text
}

/** A card has a text of its own for the user, because the text for the model may be instructions. */
function isCard(output: Json | undefined): boolean {
  return (
    output !== undefined &&
    isJsonObject(output) &&
    typeof output['cardType'] === 'string' &&
    typeof output['text'] === 'string'
  )
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
