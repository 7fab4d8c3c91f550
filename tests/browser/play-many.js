// The body of a script: plays that the page makes by itself, against moves that are drawn from seeds.
const [key, seeds, done] = arguments;
(async () => {
    const data = readData("explorer-data");
    const game = await explorerGames.openGames(data).get(key)();
    return seeds.map((seed) => {
        let board = game.start, place = game.root, state = seed;
        const draw = () => (state = (state * 48271) % 2147483647) / 2147483647;
        const line = [];
        while (board.open.length && !game.isOver?.(board)) {
            if (game.rules.turn(board) === game.you) {
                const legal = [...game.legal(place, board)].sort((one, other) => other[1].rank - one[1].rank);
                const best = legal.filter(([, { rank }]) => rank === legal[0][1].rank);
                const some = draw() < 0.7 ? best : legal;
                const [move, { place: to, told }] = some[Math.floor(draw() * some.length)];
                line.push([move, told, null]);
                board = game.rules.putMark(board, move);
                place = to;
            } else {
                const reply = game.answer(place, board);
                if (reply.end) break;
                line.push([reply.move, null, reply.rule]);
                board = game.rules.putMark(board, reply.move);
                place = reply.place;
            }
        }
        return { line, places: board.places, winner: board.winner };
    });
})().then(done, (error) => done(String(error)));
