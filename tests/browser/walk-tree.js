// The body of a script: positions of random plays, with what the strategy tree says of each: the moves and their rules,
// when the claimant wins, and, of every twentieth, how many positions are below.
const [key, count, done] = arguments;
(async () => {
    const game = await explorerGames.readGames().choices.get(key)();
    let state = 1;
    const draw = (number) => { state = (state * 48271) % 2147483647; return state % number; };
    const found = new Map();
    for (let tries = 0; found.size < count && tries < count; tries += 1) {
        let place = game.root, board = game.start;
        const line = [];
        for (;;) {
            const moves = game.moves(place);
            const told = moves.map(({ move, rule }) => [move, rule]);
            const below = found.size % 20 ? null : game.below(place);
            if (!found.has(line.join())) found.set(line.join(), [[...line], told, game.wins(place, board), below]);
            if (!moves.length) break;
            const next = moves[draw(moves.length)];
            board = game.rules.putMark(board, next.move);
            place = next.place;
            line.push(next.move);
        }
    }
    return [...found.values()].slice(0, count);
})().then(done, (error) => done(String(error)));
