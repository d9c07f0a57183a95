import { useState, type FormEvent } from 'react'

import { client } from '../api/client.ts'
import { formatAge } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { LoadError } from '../ui/notices.tsx'
import { useOperation, useReport } from './queries.ts'
import { Report } from './report.tsx'

/** The tokens of all users, for the owner of the server. */
export function TokenReport() {
  const { t, language } = useTranslate()
  const { data, error, isForbidden, refetch } = useReport('tokens', () => client.call('GET /v1/tokens'))
  const revoke = useOperation((id: string) => client.call('DELETE /v1/tokens/{id}', { path: { id } }))
  if (isForbidden) return null
  const problem = error ?? revoke.error
  return (
    <Report title={t('operate.tokens')}>
      {problem && <LoadError error={problem} onRetry={() => void refetch()} />}
      {data?.tokens.length === 0 && <p className="quiet">{t('operate.noTokens')}</p>}
      <ul className="token-list">
        {data?.tokens.map(({ id, name, user, lastUsedAt }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span>{user}</span>
            <span className="quiet">
              {lastUsedAt === null
                ? t('operate.neverUsed')
                : t('operate.lastUsed', { age: formatAge(lastUsedAt, language) })}
            </span>
            <button
              type="button"
              className="button danger"
              aria-label={t('operate.revokeName', { name })}
              onClick={() => confirm(t('operate.confirmRevoke', { name })) && revoke.mutate(id)}
            >
              {t('operate.revoke')}
            </button>
          </li>
        ))}
      </ul>
      <NewToken />
    </Report>
  )
}

/** Creates a token, and shows its secret once. */
function NewToken() {
  const { t } = useTranslate()
  const [secret, setSecret] = useState<string>()
  const { mutate, error, isPending } = useOperation((body: { name: string; user?: string }) =>
    client.call('POST /v1/tokens', { body }),
  )
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const values = new FormData(form)
    const [name = '', user = ''] = ['name', 'user'].map((field) => values.get(field) as string)
    const body = { name, ...(user !== '' && { user }) }
    mutate(body, {
      onSuccess: (created) => {
        setSecret(created.secret)
        form.reset()
      },
    })
  }
  return (
    <>
      <form className="token-form" onSubmit={submit}>
        <input
          className="field"
          name="name"
          required
          maxLength={64}
          placeholder={t('operate.tokenName')}
          aria-label={t('operate.tokenName')}
        />
        <input
          className="field"
          name="user"
          maxLength={64}
          placeholder={t('operate.tokenUser')}
          aria-label={t('operate.tokenUser')}
        />
        <button type="submit" className="button primary" disabled={isPending}>
          {t('operate.createToken')}
        </button>
      </form>
      {error && (
        <p className="notice error" role="alert">
          {error.message}
        </p>
      )}
      {secret !== undefined && (
        <p className="notice calm" role="status">
          <span>{t('operate.secretOnce')}</span>
          <code className="secret">{secret}</code>
          <CopyButton text={secret} />
        </p>
      )}
    </>
  )
}
