/** Where the code of a second factor comes from: a mail, or an authenticator app (TOTP). */
export type SecondFactorProvider = 'Email' | 'Authenticator';
