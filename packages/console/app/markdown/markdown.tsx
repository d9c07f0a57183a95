import { memo, useEffect, useReducer, useState, type ComponentProps } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remend from 'remend'

import { CodeBlock } from './code-block.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { isHeavyBlock } from './heavy-block.ts'
import { loadPlugins, pluginsKey, pluginsOf } from './plugins.ts'
import { splitBlocks } from './split-blocks.ts'
import './markdown.css'

const BLOCKS_PER_SLICE = 40

/** Markdown that may still grow. HTML in it is text, and no image of another server is loaded. */
export function Markdown({ text, isOpen = false }: { readonly text: string; readonly isOpen?: boolean }) {
  const key = pluginsKey(text)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    void loadPlugins(key).then((isNew) => isNew && redraw())
  }, [key])
  const blocks = splitBlocks(text)
  const plugins = pluginsOf(key)
  const blockCount = useSlices(blocks.length)
  return (
    <div className="markdown">
      {blocks.slice(0, blockCount).map((block, index) => (
        <Block
          key={index}
          text={isOpen && index === blocks.length - 1 ? remend(block) : block}
          plugins={plugins}
          pluginCount={plugins.remark.length}
        />
      ))}
    </div>
  )
}

/** How many of the blocks are drawn: more with each turn of the page, so that a long text never holds it up. */
function useSlices(count: number): number {
  const [shown, setShown] = useState(BLOCKS_PER_SLICE)
  const isPartial = shown < count
  useEffect(() => {
    if (!isPartial) return undefined
    const timer = setTimeout(() => setShown(shown + BLOCKS_PER_SLICE))
    return () => clearTimeout(timer)
  }, [isPartial, shown])
  return shown
}

type BlockProps = {
  readonly text: string
  readonly plugins: ReturnType<typeof pluginsOf>
  readonly pluginCount: number
}

const Block = memo(
  ({ text, plugins }: BlockProps) =>
    isHeavyBlock(text) ? (
      <pre className="plain-text">{text}</pre>
    ) : (
      <ErrorBoundary failure={<pre className="plain-text">{text}</pre>}>
        <ReactMarkdown
          remarkPlugins={[...plugins.remark]}
          rehypePlugins={[...plugins.rehype]}
          components={components}
        >
          {withDollarMath(text)}
        </ReactMarkdown>
      </ErrorBoundary>
    ),
  (before, after) => before.text === after.text && before.pluginCount === after.pluginCount,
)

/** Models write formulas as TeX does, in `\\(…\\)` and `\\[…\\]`. The parser knows `$$…$$`. */
function withDollarMath(text: string): string {
  if (text.includes('```') || !/\\[([]/.test(text)) return text
  const blocks = replaceBetween(text, ['\\[', '\\]'], (formula) => `\n$$\n${formula}\n$$\n`)
  const lines = blocks.split('\n')
  return lines.map((line) => replaceBetween(line, ['\\(', '\\)'], (formula) => `$$${formula}$$`)).join('\n')
}

/** Replaces each piece between two marks, and the marks. A mark without its other stays. */
function replaceBetween(
  text: string,
  [open, close]: readonly [string, string],
  write: (piece: string) => string,
): string {
  let result = ''
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length)
    if (end < 0) return result + text.slice(at)
    result += text.slice(at, start) + write(text.slice(start + open.length, end).trim())
    at = end + close.length
  }
}

const components: Components = {
  a: ({ href, children }) => {
    const [address, rest] = splitAutolink(href, children)
    return (
      <>
        <a href={address} target="_blank" rel="noreferrer noopener">
          {rest === '' ? children : address}
        </a>
        {rest}
      </>
    )
  },
  // A picture would tell its server what was answered, so it is a link.
  img: ({ src, alt }) => (typeof src === 'string' ? <ImageLink src={src} alt={alt} /> : null),
  pre: ({ children }) => children,
  code: Code,
  table: ({ children }) => (
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
}

/** The address that a text names, without the quotation mark or the Chinese punctuation that follows it. */
function splitAutolink(
  href: string | undefined,
  children: unknown,
): [address: string | undefined, rest: string] {
  if (typeof children !== 'string' || !/^https?:/.test(children)) return [href, '']
  const [rest = ''] = /(?<![”’」』）》。，、；：！？])[”’」』）》。，、；：！？]+$/.exec(children) ?? []
  return rest === '' ? [href, ''] : [children.slice(0, -rest.length), rest]
}

function ImageLink({ src, alt }: { readonly src: string; readonly alt: string | undefined }) {
  return (
    <a href={src} target="_blank" rel="noreferrer noopener">
      {alt === undefined || alt === '' ? src : alt}
    </a>
  )
}

function Code({ className, children }: ComponentProps<'code'>) {
  const code = typeof children === 'string' ? children : ''
  const [, language] = /language-([\w+#.-]+)/.exec(className ?? '') ?? []
  if (language === undefined && !code.includes('\n')) return <code>{children}</code>
  return <CodeBlock code={code.replace(/\n$/, '')} language={language} />
}
