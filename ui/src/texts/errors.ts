// The sentence for a refused command. Times inside it are made readable here.

import type { ErrorBody } from '../backend/bindings';
import { clockTime } from './format';
import { say, t } from './t';

export function errorText(body: ErrorBody): string {
  const args: Record<string, string> = { ...body.args };
  const until = Number(args.until);
  if (args.until !== undefined && Number.isFinite(until)) args.until = clockTime(until);
  return say(`error_${body.code}`, args) ?? t('error_internal');
}
