// Why an address cannot be a search as it is: what it is, and what to do about it.

import type { PreviewRefusal } from '../../backend/bindings';
import { clockTime } from '../../texts/format';
import { t } from '../../texts/t';
import { say } from '../../texts/t';
import { plain } from '../../texts/rich';
import { trouble } from '../searches/rowwords';

export type Refusal = { title: string; text: string; evidence: string[]; show: number | null };

export function refusalWords(why: PreviewRefusal): Refusal {
  const made = (title: string, text: string, more: Partial<Refusal> = {}): Refusal => ({ title, text, evidence: [], show: null, ...more });
  switch (why.kind) {
    case 'not_an_address':
      return made(t('refused_not_an_address'), t('refused_not_an_address_line'));
    case 'not_http':
      return made(t('refused_not_http'), t('refused_not_http_line'));
    case 'has_password':
      return made(t('refused_has_password'), t('refused_has_password_line'));
    case 'too_long':
      return made(t('refused_too_long'), t('refused_too_long_line'));
    case 'duplicate':
      return made(t('refused_duplicate'), t('refused_duplicate_line', { name: why.name }), { show: why.id });
    case 'sixteenth':
      return made(t('refused_sixteenth', { max: why.max }), t('refused_sixteenth_line'));
    case 'one_home':
      return made(t('refused_one_home'), t('refused_one_home_line'));
    case 'no_list':
      return why.empty ? made(t('refused_empty'), t('refused_empty_line')) : made(t('refused_no_list'), t('refused_no_list_line'));
    case 'wall':
      return made(t('refused_wall'), `${say(`host_cause_${why.reason}`) ?? t(`host_cause_${why.wall}`)} ${t('refused_wall_line')}`, { evidence: why.evidence });
    case 'dead':
      return made(t('refused_dead', { trouble: plain(trouble(why.reason)) }), t('refused_dead_line'));
    case 'page_gone':
      return made(t('refused_page_gone', { status: why.status ?? 404 }), t('refused_page_gone_line'));
    case 'not_before':
      return made(t('refused_not_before', { time: clockTime(why.at) }), t('refused_not_before_line'));
  }
}
