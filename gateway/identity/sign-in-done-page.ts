/** Where the applications of this venue have their browsers sent after signing in. */
export const SIGN_IN_DONE_PATH = '/identity/sign-in-done';

/** The code is in the page's address; an application that opened the window reads it from there. */
export const SIGN_IN_DONE_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Signed in</title>
<p>You are signed in. This window can be closed.</p>
</html>
`;
