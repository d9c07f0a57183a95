import { ChevronRight, File, Folder, Link2 } from 'lucide-react'
import { useState } from 'react'

import type { FileChange } from '../src/changes/file-change.ts'
import type { PanelPart } from './panel-part.ts'

type Entry = {
  readonly name: string
  readonly path: string
  readonly type: 'file' | 'directory' | 'link' | 'other'
}
type TreeFolder = { readonly entries: readonly Entry[]; readonly truncated: boolean }

type FileTreeProps = PanelPart & {
  readonly root: string
  readonly changes: readonly FileChange[]
  readonly showFile: (path: string) => void
}

/** The files of the folder, each level loaded once it is opened. */
export function FileTree({ root, ...level }: FileTreeProps) {
  return (
    <section>
      <header>
        <h2>{level.t('files.title')}</h2>
      </header>
      <p className="coding-root">{root}</p>
      <Level {...level} />
    </section>
  )
}

type LevelProps = Omit<FileTreeProps, 'root'> & { readonly path?: string }

function Level({ path, ...props }: LevelProps) {
  const { kit, t, base } = props
  const query = path === undefined ? '' : `?path=${encodeURIComponent(path)}`
  const { data, error } = kit.useJson<TreeFolder>(`${base}/tree${query}`)
  if (error) return <p className="notice error">{error.message}</p>
  if (!data) return <p className="coding-hint">{t('loading')}</p>
  const { entries, truncated } = data
  if (entries.length === 0) return <p className="coding-hint">{t('files.empty')}</p>
  return (
    <>
      <ul className="coding-tree">
        {entries.map((entry) => (
          <li key={entry.path}>
            {entry.type === 'directory' ? (
              <FolderEntry {...props} entry={entry} />
            ) : (
              <FileEntry {...props} entry={entry} />
            )}
          </li>
        ))}
      </ul>
      {truncated && <p className="coding-hint">{t('files.more', { count: entries.length })}</p>}
    </>
  )
}

type EntryProps = Omit<LevelProps, 'path'> & { readonly entry: Entry }

function FolderEntry({ entry, ...props }: EntryProps) {
  const [isOpen, setIsOpen] = useState(false)
  const hasChange = props.changes.some(({ path }) => path.startsWith(`${entry.path}/`))
  return (
    <>
      <button type="button" className="coding-row" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <ChevronRight size={15} className="coding-arrow" aria-hidden />
        <Folder size={15} aria-hidden />
        <span>{entry.name}</span>
        {hasChange && <ChangeMark t={props.t} />}
      </button>
      {isOpen && <Level {...props} path={entry.path} />}
    </>
  )
}

function FileEntry({ entry, t, changes, showFile }: EntryProps) {
  const isChanged = changes.some(({ path }) => path === entry.path)
  return (
    <button type="button" className="coding-row" onClick={() => showFile(entry.path)}>
      <span className="coding-arrow" aria-hidden />
      {entry.type === 'link' ? (
        <Link2 size={15} role="img" aria-label={t('files.link')} />
      ) : (
        <File size={15} aria-hidden />
      )}
      <span>{entry.name}</span>
      {isChanged && <ChangeMark t={t} />}
    </button>
  )
}

function ChangeMark({ t }: Pick<PanelPart, 't'>) {
  return (
    <span className="coding-changed" role="img" aria-label={t('files.changed')} title={t('files.changed')} />
  )
}
