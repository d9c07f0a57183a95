import { useState, type FormEvent } from 'react'

import { queryClient } from '../api/queries.ts'
import { request } from '../api/request.ts'
import { useTranslate } from '../i18n/translate.tsx'
import './sign-in.css'

/** Asks for a token. The server keeps it in a cookie that no script can read. */
export function SignInPage() {
  const { t } = useTranslate()
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const signIn = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setPending(true)
    try {
      await request('/auth/sign-in', { body: { token: token.trim() } })
      await queryClient.resetQueries()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <main className="sign-in">
      <form onSubmit={(event) => void signIn(event)}>
        <h1>{t('signIn.title')}</h1>
        <p className="quiet">{t('signIn.note')}</p>
        <label>
          {t('signIn.token')}
          <input
            className="field"
            type="password"
            autoComplete="current-password"
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        {problem !== undefined && (
          <p className="notice error" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" className="button primary" disabled={token.trim() === '' || isPending}>
          {t('signIn.submit')}
        </button>
        <pre className="quiet">dragoman token create --name my-browser</pre>
      </form>
    </main>
  )
}
