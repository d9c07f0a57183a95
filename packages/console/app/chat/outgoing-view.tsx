import { useTranslate } from '../i18n/translate.tsx'
import { discardOutgoing, sendAgain, type Outgoing } from './outbox.ts'
import { UserParts } from './user-parts.tsx'

/** A message on its way to the server, or refused. */
export function OutgoingView({ outgoing }: { readonly outgoing: Outgoing }) {
  const { t } = useTranslate()
  const { key, parts, state, error, isSignedOut } = outgoing
  return (
    <article className="message user outgoing" aria-label={t('message.yours')}>
      <div className="bubble" dir="auto">
        <UserParts parts={parts} />
      </div>
      {state === 'failed' ? (
        <div className="notice error" role="alert">
          <span>{t('outgoing.failed', { reason: isSignedOut ? t('signIn.ended') : (error ?? '') })}</span>
          <button type="button" className="button" onClick={() => sendAgain(key)}>
            {t('tryAgain')}
          </button>
          <button type="button" className="button" onClick={() => discardOutgoing(key)}>
            {t('outgoing.discard')}
          </button>
        </div>
      ) : (
        <p className="quiet message-state">{t('outgoing.sending')}</p>
      )}
    </article>
  )
}
