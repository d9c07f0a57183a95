import type { PanelProps } from '@dragoman/console/view'
import { useEffect, useRef, useState } from 'react'

import type { ChangeList } from './panel-part.ts'
import { ChangeView } from './change-view.tsx'
import { ChangesSection } from './changes-section.tsx'
import { DiffStyle } from './diff-view.tsx'
import { FileTree } from './file-tree.tsx'
import { FileView } from './file-view.tsx'
import css from './panel.css?inline'
import { textsIn } from './texts.ts'

/** While an answer is written, changes are looked for so often, in ms. */
const POLL_INTERVAL_MS = 2000

type Selection = { readonly kind: 'change' | 'file'; readonly path: string }

/** The files that a conversation has changed, and the files of its folder. */
export default function ChangesPanel({ language, kit, threadId, isBusy }: PanelProps) {
  const t = textsIn(language)
  const base = `/coding/threads/${encodeURIComponent(threadId)}`
  const { data, error } = kit.useJson<ChangeList>(
    `${base}/changes`,
    isBusy ? { interval: POLL_INTERVAL_MS } : {},
  )
  const [selection, setSelection] = useState<Selection>()
  const panel = useRef<HTMLDivElement>(null)
  const { refresh } = kit
  useEffect(() => {
    if (!isBusy) void refresh(base)
  }, [isBusy, base, refresh])
  const show = (next: Selection | undefined): void => {
    setSelection(next)
    // What had the focus is gone.
    panel.current?.focus()
  }
  const changes = data?.changes ?? []
  const close = (): void => show(undefined)
  const showChange = (path: string): void => show({ kind: 'change', path })
  return (
    <div className="coding-panel" ref={panel} tabIndex={-1}>
      <DiffStyle />
      <style href="coding-panel" precedence="low">
        {css}
      </style>
      {error && <p className="notice error">{error.message}</p>}
      {selection?.kind === 'change' && (
        <ChangeView key={selection.path} {...{ kit, t, base, close, changes }} path={selection.path} />
      )}
      {selection?.kind === 'file' && (
        <FileView key={selection.path} {...{ kit, t, base, close }} path={selection.path} />
      )}
      {data && (
        <div hidden={selection !== undefined}>
          <ChangesSection {...{ kit, t, base, changes, showChange }} />
          <FileTree
            {...{ kit, t, base, changes }}
            root={data.workspaceRoot}
            showFile={(path) => show({ kind: 'file', path })}
          />
        </div>
      )}
    </div>
  )
}
