import { toJsxRuntime, type Components } from 'hast-util-to-jsx-runtime'
import { CornerDownLeft } from 'lucide-react'
import type { Nodes } from 'mdast'
import {
  createContext,
  memo,
  useContext,
  useId,
  useMemo,
  type ComponentProps,
  type ComponentType,
} from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'

import { useTranslate } from '../i18n/translate.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { CodeBlock } from './code-block.tsx'
import { Formula } from './formula.tsx'
import { joinElements } from './html-elements.ts'
import { Link, Picture } from './link.tsx'
import { referencesIn, type Scope } from './references.ts'
import { noteId, toElements } from './to-elements.ts'
import { useDocument } from './use-document.ts'
import './markdown.css'

/** Whether the block around still grows: what it shows is not complete. */
const GrowingContext = createContext(false)

/** Markdown that may still grow. HTML that it does not know is text, and no image of another server is loaded. */
export function Markdown({ text, isOpen = false }: { readonly text: string; readonly isOpen?: boolean }) {
  const { t } = useTranslate()
  const prefix = useId()
  const document = useDocument(text, isOpen)
  const nodes = useMemo(() => {
    const parts = [...document.closed, ...document.open].flatMap((block) => block.parts)
    // Footnotes stand at the end.
    return joinElements(parts, isOpen).filter(({ type }) => type !== 'footnoteDefinition')
  }, [document, isOpen])
  const { notes, scopeOf } = useMemo(
    () => referencesIn([...document.closed, ...document.open], nodes),
    [document, nodes],
  )
  const isGrowing = isOpen || !document.isWhole
  return (
    <div className="markdown">
      {nodes.map((node, index) => (
        <Block
          key={index}
          node={node}
          scope={scopeOf(node)}
          prefix={prefix}
          isGrowing={isGrowing && index === nodes.length - 1}
        />
      ))}
      {notes.length > 0 && (
        <section className="footnotes" aria-label={t('markdown.footnotes')}>
          <ol>
            {notes.map((note, index) => (
              <li key={note.identifier} id={noteId(prefix, 'note', index + 1)}>
                <Block node={note} scope={scopeOf(note)} prefix={prefix} isGrowing={isGrowing} />
                <Link href={`#${noteId(prefix, 'reference', index + 1)}`} title={t('markdown.toReference')}>
                  <CornerDownLeft size={13} role="img" aria-label={t('markdown.toReference')} />
                </Link>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

type BlockProps = {
  readonly node: Nodes
  readonly scope: Scope
  readonly prefix: string
  readonly isGrowing: boolean
}

const Block = memo(
  ({ node, scope, prefix, isGrowing }: BlockProps) => (
    <ErrorBoundary failure={<PlainText node={node} />}>
      <GrowingContext value={isGrowing}>
        <Elements node={node} scope={scope} prefix={prefix} />
      </GrowingContext>
    </ErrorBoundary>
  ),
  (before, after) =>
    before.isGrowing === after.isGrowing &&
    isSame(before.node, after.node) &&
    JSON.stringify(before.scope) === JSON.stringify(after.scope),
)

function Elements({ node, scope, prefix }: Omit<BlockProps, 'isGrowing'>) {
  return toJsxRuntime(toElements(node, { scope, prefix }), {
    Fragment,
    jsx,
    jsxs,
    components,
    ignoreInvalidStyle: true,
    passKeys: true,
  })
}

/** Whether two nodes are the same one. An element of several blocks is made again with each reading. */
function isSame(one: Nodes, other: Nodes): boolean {
  if (one === other) return true
  if (one.type !== 'htmlElement' || other.type !== 'htmlElement' || one.name !== other.name) return false
  const { children } = other
  return (
    one.children.length === children.length &&
    one.children.every((child, index) => {
      const twin = children[index]
      return twin !== undefined && isSame(child, twin)
    })
  )
}

/** What is to be read in a node that cannot be drawn. */
function PlainText({ node }: { readonly node: Nodes }) {
  const texts: string[] = []
  const rest: Nodes[] = [node]
  for (let next = rest.pop(); next; next = rest.pop()) {
    if ('value' in next) texts.push(next.value)
    if ('children' in next) for (const child of next.children.toReversed()) rest.push(child)
  }
  return <pre className="plain-text">{texts.join('')}</pre>
}

function Table({ children, dir }: ComponentProps<'table'>) {
  return (
    <div className="table-scroll" tabIndex={0}>
      <table dir={dir}>{children}</table>
    </div>
  )
}

function Code(props: Omit<ComponentProps<typeof CodeBlock>, 'isGrowing'>) {
  return <CodeBlock {...props} isGrowing={useContext(GrowingContext)} />
}

const ownElements: Readonly<Record<string, unknown>> = { 'x-formula': Formula, 'x-code': Code }
const components = {
  ...(ownElements as Record<string, ComponentType>),
  a: Link,
  img: Picture,
  table: Table,
} as Partial<Components>
