import { useState } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Asks to sign in again, over the page: all that is on it stays. */
export function SignInDialog() {
  const { t } = useTranslate()
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      {!isOpen && (
        <div className="sign-in-again notice" role="status">
          {t('signIn.ended')}
          <button type="button" className="button primary" onClick={() => setOpen(true)}>
            {t('signIn.submit')}
          </button>
        </div>
      )}
      <Dialog isOpen={isOpen} title={t('signIn.again')} onClose={() => setOpen(false)}>
        <SignInForm path={undefined} pathOfOthers="/">
          <p>{t('signIn.ended')}</p>
        </SignInForm>
      </Dialog>
    </>
  )
}
