// Setting up mail: an address, a guess about its server, a password or a token, and a real test.

import type { KeepSecret, MailAccount, MailAccountShown, MailGuess, MailSecurity, TestResult } from '../../backend/bindings';
import { refusal } from '../../backend/door';
import { app } from '../../state/app.svelte';
import { errorText } from '../../texts/errors';

export type Test =
  | { kind: 'none' }
  | { kind: 'sending' }
  | { kind: 'done'; result: TestResult; at: number; tookMs: number }
  | { kind: 'failed'; text: string };

export class MailForm {
  address = $state('');
  to = $state('');
  server = $state('');
  port = $state(465);
  security = $state<MailSecurity>('implicit');
  login = $state('');
  password = $state('');
  way = $state<'password' | 'token'>('password');
  tokenUrl = $state('');
  clientId = $state('');
  clientSecret = $state('');
  refreshToken = $state('');
  keep = $state<KeepSecret>('keychain');
  stored = $state.raw<MailAccountShown | null>(null);
  guess = $state.raw<MailGuess | null>(null);
  guessError = $state('');
  test = $state.raw<Test>({ kind: 'none' });
  loaded = $state(false);
  #guessed = '';
  /** A person chose the way; a guess leaves it alone then. */
  #chosen = false;

  async load(): Promise<void> {
    const account = await app.ask('get_mail', {});
    this.stored = account;
    this.keep = account?.keep_secret ?? (app.about?.has_keychain === false ? 'session' : 'keychain');
    if (account) {
      this.address = this.#guessed = account.from;
      this.to = account.to === account.from ? '' : account.to;
      this.server = account.server;
      this.port = account.port;
      this.security = account.security;
      this.login = account.login;
      this.#showToken(account);
    }
    this.loaded = true;
  }

  /** What the stored account logs in with is of the way that is chosen now. */
  get keepsSecret(): boolean {
    return (this.stored?.has_secret ?? false) && (this.stored?.token !== null) === (this.way === 'token');
  }

  /** A client's secret belongs to its id: another client has none until it is typed. */
  get keepsClientSecret(): boolean {
    return this.keepsSecret && (this.stored?.token?.has_client_secret ?? false) && this.stored?.token?.client_id === this.clientId.trim();
  }

  get badTokenUrl(): boolean {
    return this.tokenUrl.trim() !== '' && !/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/.test(this.tokenUrl.trim());
  }

  get ready(): boolean {
    if (!this.address.includes('@') || this.server.trim() === '') return false;
    if (this.way === 'password') return (this.password !== '' || this.keepsSecret) && !this.guess?.refuses_passwords;
    return this.clientId.trim() !== '' && this.tokenUrl.trim() !== '' && !this.badTokenUrl && (this.refreshToken.trim() !== '' || this.keepsSecret);
  }

  choose(way: 'password' | 'token'): void {
    this.#chosen = true;
    this.way = way;
    this.test = { kind: 'none' };
  }

  #showToken(account: MailAccountShown | null): void {
    this.way = account?.token ? 'token' : 'password';
    this.tokenUrl = account?.token?.token_url ?? '';
    this.clientId = account?.token?.client_id ?? '';
  }

  async find(): Promise<void> {
    const address = this.address.trim();
    if (address === '' || address === this.#guessed) return;
    this.#guessed = address;
    this.test = { kind: 'none' };
    this.guessError = '';
    try {
      const guess = await app.backend.call('guess_mail', { address });
      if (this.#guessed !== address) return;
      this.guess = guess;
      this.server = guess.server;
      this.port = guess.port;
      this.security = guess.security;
      this.login = guess.login;
      this.tokenUrl = guess.token?.token_url ?? '';
      if (!this.#chosen) this.way = guess.refuses_passwords && guess.server !== '' ? 'token' : 'password';
    } catch (thrown) {
      this.guess = null;
      this.guessError = errorText(refusal(thrown).body);
    }
  }

  get account(): MailAccount {
    const from = this.address.trim();
    const secret = (typed: string) => (typed.trim() === '' ? null : typed.trim());
    return {
      from, to: this.to.trim() || from, server: this.server.trim(), port: this.port, security: this.security, login: this.login.trim() || from,
      password: this.way === 'token' || this.password === '' ? null : this.password,
      token: this.way === 'token' ? {
        token_url: this.tokenUrl.trim(), client_id: this.clientId.trim(), has_client_secret: secret(this.clientSecret) !== null || this.keepsClientSecret,
        client_secret: secret(this.clientSecret), refresh_token: secret(this.refreshToken),
      } : null,
      keep_secret: this.keep,
    };
  }

  /** A real mail; when it is accepted, the account is kept. */
  async send(): Promise<void> {
    if (!this.ready || this.test.kind === 'sending') return;
    this.test = { kind: 'sending' };
    const start = Date.now();
    try {
      const result = await app.backend.call('test_mail', this.account);
      this.test = { kind: 'done', result, at: start, tookMs: Date.now() - start };
      if (result.kind === 'accepted') await this.save();
    } catch (thrown) {
      this.test = { kind: 'failed', text: errorText(refusal(thrown).body) };
    }
  }

  async save(): Promise<boolean> {
    if ((await app.ask('put_mail', this.account)) === null) return false;
    const { password: _password, token, ...rest } = this.account;
    const shown = token && { token_url: token.token_url, client_id: token.client_id, has_client_secret: token.has_client_secret };
    this.stored = { ...rest, has_secret: true, token: shown };
    this.password = this.clientSecret = this.refreshToken = '';
    return true;
  }

  async forget(): Promise<void> {
    if ((await app.ask('forget_mail', {})) === null) return;
    this.stored = null;
    this.address = this.to = this.server = this.login = this.password = this.clientSecret = this.refreshToken = this.#guessed = '';
    this.#showToken(null);
    this.#chosen = false;
    this.guess = null;
    this.test = { kind: 'none' };
  }
}
