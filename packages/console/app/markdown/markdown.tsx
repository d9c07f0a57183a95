import { memo, useEffect, useReducer, type ComponentProps } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remend from 'remend'

import { CodeBlock } from './code-block.tsx'
import { loadPlugins, pluginsKey, pluginsOf } from './plugins.ts'
import { splitBlocks } from './split-blocks.ts'
import './markdown.css'

/** Markdown that may still grow. HTML in it is text, and no image of another server is loaded. */
export function Markdown({ text, isOpen = false }: { readonly text: string; readonly isOpen?: boolean }) {
  const key = pluginsKey(text)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    void loadPlugins(key).then((isNew) => isNew && redraw())
  }, [key])
  const blocks = splitBlocks(text)
  const plugins = pluginsOf(key)
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
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

type BlockProps = {
  readonly text: string
  readonly plugins: ReturnType<typeof pluginsOf>
  readonly pluginCount: number
}

const Block = memo(
  ({ text, plugins }: BlockProps) => (
    <ReactMarkdown
      remarkPlugins={[...plugins.remark]}
      rehypePlugins={[...plugins.rehype]}
      components={components}
    >
      {withDollarMath(text)}
    </ReactMarkdown>
  ),
  (before, after) => before.text === after.text && before.pluginCount === after.pluginCount,
)

/** Models write formulas as TeX does, in `\\(…\\)` and `\\[…\\]`. The parser knows `$$…$$`. */
function withDollarMath(text: string): string {
  if (text.includes('```') || !/\\[([]/.test(text)) return text
  return text
    .replaceAll(/\\\[([^]*?)\\\]/g, (_all, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replaceAll(/\\\((.*?)\\\)/g, (_all, formula: string) => `$$${formula.trim()}$$`)
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
  const [rest = ''] = /[”’」』）》。，、；：！？]+$/.exec(children) ?? []
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
