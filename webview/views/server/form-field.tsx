import * as l10n from '@vscode/l10n';
import type { ComponentChildren, JSX } from 'preact';
import type { FormField } from '../../../src/domain/mcp/form.ts';
import { Icon } from '../elements/icon.tsx';
import { ruleOf, type Typed } from './form-values.ts';
import { isComposing } from '../../keyboard/composition.ts';

export interface FieldProps {
  readonly field: FormField;
  /** Names the control on the page. */
  readonly id: string;
  readonly typed: Typed;
  /** Empty: nothing is wrong, or it is not said yet. */
  readonly complaint: string;
  readonly disabled: boolean;
  readonly onType: (typed: Typed) => void;
  /** The person has left the field. */
  readonly onLeave: () => void;
  readonly onEnter: () => void;
}

/** Characters from which on a text gets several lines. */
const LONG = 200;

/** A field of a server's form: name, words about it, control, and what is wrong with it. */
export function Field(props: FieldProps): ComponentChildren {
  const { field, id, complaint } = props;
  const { title, description, kind, required, secret } = field;
  const rule = ruleOf(field);
  const heading = (
    <>
      {title}
      {required && <span class="needed">{l10n.t('(needed)')}</span>}
    </>
  );
  const about = (
    <>
      {(description !== '' || rule !== '') && (
        <p class="about" id={`${id}-about`}>
          {[description, rule].filter((words) => words !== '').join(' · ')}
        </p>
      )}
      {secret && (
        <p class="caution">
          <Icon name="warning" />
          <span>{l10n.t('This looks like a secret. The server gets it as you type it.')}</span>
        </p>
      )}
      {complaint !== '' && (
        <p class="complaint" id={`${id}-complaint`} role="alert">
          {complaint}
        </p>
      )}
    </>
  );
  return kind === 'choices' ? (
    <fieldset class="field" aria-describedby={describedBy(props)}>
      <legend>{heading}</legend>
      <Choices {...props} />
      {about}
    </fieldset>
  ) : (
    <div class="field">
      <label for={id}>{heading}</label>
      <Control {...props} />
      {about}
    </div>
  );
}

const describedBy = ({ field, id, complaint }: FieldProps): string =>
  [
    field.description !== '' || ruleOf(field) !== '' ? `${id}-about` : '',
    complaint === '' ? '' : `${id}-complaint`,
  ].join(' ');

function Control(props: FieldProps): ComponentChildren {
  const { field, id, typed, complaint, disabled, onType, onLeave, onEnter } = props;
  const shared = {
    id,
    disabled,
    value: typeof typed === 'string' ? typed : '',
    'aria-required': field.required,
    'aria-invalid': complaint !== '',
    'aria-describedby': describedBy(props),
    onBlur: onLeave,
  } as const;
  if (field.kind === 'choice' || field.kind === 'boolean')
    return (
      <select {...shared} onChange={(event) => onType(event.currentTarget.value)}>
        <option value="">{field.required ? l10n.t('Choose…') : l10n.t('Leave it out')}</option>
        {(field.kind === 'boolean' ? YES_NO : field.choices).map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    );
  const isLong = field.kind === 'text' && !field.secret && (field.limits.most ?? 0) >= LONG;
  if (isLong)
    return <textarea {...shared} rows={3} onInput={(event) => onType(event.currentTarget.value)} />;
  return (
    <input
      {...shared}
      {...KEYBOARDS[
        field.secret && field.kind === 'text' ? 'secret' : (field.format ?? field.kind)
      ]}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
        if (event.key === 'Enter' && isPlain && !isComposing(event)) onEnter();
      }}
    />
  );
}

const YES_NO = [
  { value: 'true', title: l10n.t('Yes') },
  { value: 'false', title: l10n.t('No') },
];

/** Nothing is judged by the browser: its words would come beside ours. */
const KEYBOARDS: Readonly<Record<string, JSX.IntrinsicElements['input']>> = {
  // As dots; a password field would be offered to the browser's keeper.
  secret: { type: 'text', class: 'is-secret' },
  date: { type: 'date' },
  number: { type: 'text', inputMode: 'decimal' },
  integer: { type: 'text', inputMode: 'numeric' },
  email: { type: 'text', inputMode: 'email' },
  uri: { type: 'text', inputMode: 'url' },
  'date-time': { type: 'text' },
  text: { type: 'text' },
};

function Choices({ field, id, typed, disabled, onType, onLeave }: FieldProps): ComponentChildren {
  const ticked = typeof typed === 'string' ? [] : typed;
  return (
    <div class="ticks" onFocusOut={onLeave}>
      {field.choices.map(({ value, title }, index) => (
        <label key={value}>
          <input
            type="checkbox"
            id={index === 0 ? id : undefined}
            disabled={disabled}
            checked={ticked.includes(value)}
            onChange={({ currentTarget: { checked } }) =>
              onType(
                field.choices
                  .map((choice) => choice.value)
                  .filter((one) => (one === value ? checked : ticked.includes(one))),
              )
            }
          />
          <span>{title}</span>
        </label>
      ))}
    </div>
  );
}
