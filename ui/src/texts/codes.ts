// Sentences for codes of the engine that come without one of the window's own.

import type { Remark } from '../backend/bindings';
import { say } from './t';

/** What the extractor remarked; `undefined` when there is no sentence, or not all that belongs into it. */
export function remarkText(remark: Remark | null): string | undefined {
  if (remark === null) return undefined;
  const code = remark.code.startsWith('page_') ? remark.code : `page_${remark.code}`;
  const args = { ...remark.args, fields: fields(remark.args.fields) };
  const text = say(code, args);
  return text === undefined || /\{\w+\}/.test(text) ? undefined : text;
}

function fields(codes: string | undefined): string {
  if (!codes) return '{fields}';
  return codes.split(/[,\s]+/).map((code) => say(`page_field_${code}`) ?? code).join(', ');
}

/** Why a message waits or was given up: the engine's code as a sentence, or the server's own words as they are. */
export function deliveryWhy(why: string): string {
  const code = /^[a-z_]+/.exec(why)?.[0] ?? '';
  return say(`mail_hold_${code}`) ?? say(`mail_gave_up_${code}`) ?? say(`mail_not_sent_${code}`) ?? why;
}
