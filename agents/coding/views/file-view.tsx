import type { PanelPart } from './panel-part.ts'
import { ViewHeader } from './view-header.tsx'

type FileText = { readonly path: string; readonly content: string; readonly truncated: boolean }

type FileViewProps = PanelPart & { readonly path: string; readonly close: () => void }

/** A file with line numbers, to read. */
export function FileView({ kit, t, base, path, close }: FileViewProps) {
  const { data, error } = kit.useJson<FileText>(`${base}/file?path=${encodeURIComponent(path)}`)
  const lines = data?.content.replace(/\r?\n$/, '').split(/\r?\n/) ?? []
  return (
    <section>
      <ViewHeader path={path} t={t} close={close} />
      {error && <p className="notice error">{error.message}</p>}
      {!data && !error && <p className="quiet">{t('loading')}</p>}
      {data?.content === '' && <p className="quiet">{t('file.empty')}</p>}
      {data && data.content !== '' && (
        <div className="coding-diff">
          <div className="coding-lines" role="region" aria-label={t('file.label', { path })} tabIndex={0}>
            {lines.map((line, index) => (
              <div key={index} className="coding-line coding-text">
                <span className="coding-number" aria-hidden>
                  {index + 1}
                </span>
                <code>{line}</code>
              </div>
            ))}
          </div>
          {data.truncated && <p className="coding-note">{t('file.truncated')}</p>}
        </div>
      )}
    </section>
  )
}
