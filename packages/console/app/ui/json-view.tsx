import type { Json } from '../api/types.ts'
import { CodeBlock } from '../markdown/code-block.tsx'

/** JSON, or a text as it is. */
export function JsonView({ value }: { readonly value: Json }) {
  const isText = typeof value === 'string'
  return (
    <CodeBlock
      code={isText ? value : JSON.stringify(value, null, 2)}
      language={isText ? undefined : 'json'}
    />
  )
}
