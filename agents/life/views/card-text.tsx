type CardTextProps = { readonly output: unknown }

/** The text of a card that shows nothing else: birth data that is missing, or an error. */
export function CardText({ output }: CardTextProps) {
  const text = typeof output === 'object' && output !== null && 'text' in output ? output.text : undefined
  return typeof text === 'string' ? <p>{text}</p> : null
}
