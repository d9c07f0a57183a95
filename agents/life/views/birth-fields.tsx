import type { Birth } from '../src/birth/birth.ts'
import { Field } from './field.tsx'
import { translatorOf } from './translator.ts'
import { placeName, type PlaceChoice, type Refusal } from './use-save.ts'
import { writtenDate, writtenTime } from './written-birth.ts'

type BirthFieldsProps = {
  readonly language: string
  readonly birth: Birth | undefined
  readonly refusal: Refusal | undefined
  readonly onChoosePlace: (place: PlaceChoice) => void
}

/** The inputs of a birth. Text fields: 未时 and "2:30 pm" are valid too, and no picker knows a lunar date. */
export function BirthFields({ language, birth, refusal, onChoosePlace }: BirthFieldsProps) {
  const t = translatorOf(language)
  const errorOf = (field: string): string | undefined =>
    refusal?.field === field ? refusal.message : undefined
  return (
    <>
      <div className="life-row">
        <Field label={t('birth.calendar')} error={errorOf('calendar')}>
          {(props) => (
            <select
              {...props}
              className="field"
              name="calendar"
              defaultValue={birth?.date.calendar ?? 'solar'}
            >
              <option value="solar">{t('birth.solar')}</option>
              <option value="lunar">{t('birth.lunar')}</option>
            </select>
          )}
        </Field>
        <Field label={t('birth.date')} hint={t('birth.dateHint')} error={errorOf('birthDate')}>
          {(props) => (
            <input
              {...props}
              className="field"
              name="birthDate"
              required
              defaultValue={birth && writtenDate(birth)}
            />
          )}
        </Field>
      </div>
      <div className="life-row">
        <Field label={t('birth.time')} hint={t('birth.timeHint')} error={errorOf('birthTime')}>
          {(props) => (
            <input {...props} className="field" name="birthTime" defaultValue={birth && writtenTime(birth)} />
          )}
        </Field>
        <Field label={t('birth.gender')} hint={t('birth.genderHint')} error={errorOf('gender')}>
          {(props) => (
            <select {...props} className="field" name="gender" required defaultValue={birth?.gender ?? ''}>
              {/* Nothing is chosen for anybody. */}
              <option value="">{t('birth.choose')}</option>
              <option value="female">{t('birth.female')}</option>
              <option value="male">{t('birth.male')}</option>
            </select>
          )}
        </Field>
      </div>
      <Field label={t('birth.place')} hint={t('birth.placeHint')} error={errorOf('birthPlace')}>
        {(props) => (
          <input {...props} className="field" name="birthPlace" defaultValue={birth?.place?.name} />
        )}
      </Field>
      <PlaceChoices language={language} places={refusal?.places ?? []} onChoose={onChoosePlace} />
      <BirthOptions language={language} birth={birth} error={errorOf('trueSolarTime')} />
    </>
  )
}

type PlaceChoicesProps = {
  readonly language: string
  readonly places: readonly PlaceChoice[]
  readonly onChoose: (place: PlaceChoice) => void
}

/** The places that an ambiguous name may mean. */
function PlaceChoices({ language, places, onChoose }: PlaceChoicesProps) {
  const t = translatorOf(language)
  if (places.length === 0) return null
  return (
    <fieldset className="life-places">
      <legend>{t('birth.places')}</legend>
      {places.map((place) => (
        <button key={place.coordinates} type="button" className="button" onClick={() => onChoose(place)}>
          {placeName(place)}
        </button>
      ))}
    </fieldset>
  )
}

type BirthOptionsProps = {
  readonly language: string
  readonly birth: Birth | undefined
  readonly error: string | undefined
}

function BirthOptions({ language, birth, error }: BirthOptionsProps) {
  const t = translatorOf(language)
  const { dayBoundary = '23:00', trueSolarTime = false, applyDst = true } = birth?.options ?? {}
  return (
    <details open={error !== undefined}>
      <summary>{t('birth.options')}</summary>
      <div className="life-fields">
        <Field label={t('birth.dayBoundary')}>
          {(props) => (
            <select {...props} className="field" name="dayBoundary" defaultValue={dayBoundary}>
              <option value="23:00">{t('birth.at23')}</option>
              <option value="00:00">{t('birth.at0')}</option>
            </select>
          )}
        </Field>
        <label className="life-check">
          <input type="checkbox" name="trueSolarTime" defaultChecked={trueSolarTime} />
          <span>{t('birth.solarTime')}</span>
        </label>
        {error !== undefined && (
          <small className="life-error" role="alert">
            {error}
          </small>
        )}
        <label className="life-check">
          <input type="checkbox" name="applyDst" defaultChecked={applyDst} />
          <span>{t('birth.dst')}</span>
        </label>
      </div>
    </details>
  )
}
