(** * The check

    Plan: keys of positions; tables; the positions to which play goes on by a table and strategies; all positions that are
    met, collected in a map; the test that the map is closed; lines; the checks of claims, [check] and [refute].

    Nobody has to believe that the map is collected well: [Sound.v] needs only that each entry passes the test [is_right],
    which looks at the entry and at those that follow it.

    A claim that does not speak of the number of moves can be checked on positions without their number, which may come
    up again and again: then the number is 0 in all of them ([label]). A [Reach] needs that play comes closer to the goal
    with every move: each entry has a rank, which is more than the ranks of those that follow. *)

From Coq Require Import List ZArith NArith Bool FMapPositive.
Import ListNotations.
From General Require Import Game Claim.

Module Map := PositiveMap.

(** ** Keys

    The digits of the number of moves, of the turn and of all values, one after the other: [0] is 0, any other number is 1,
    then its binary digits from the last to the second, 1 before each, then 0. *)

Fixpoint push_digits (n key : positive) : positive :=
  match n with xH => xO key | xO n => push_digits n (xO (xI key)) | xI n => push_digits n (xI (xI key)) end.

Definition push (key : positive) (n : Z) : positive :=
  match n with Z0 => xO key | Zpos n | Zneg n => push_digits n (xI key) end.

Definition key_of (n : nat) (p : position) : positive :=
  fold_left push (cells p) (push (push xH (Z.of_nat n)) (number_of (turn p))).

(** A table: the move of the claimant in each position, by its key. *)
Definition table := Map.t nat.
Definition read_table (entries : list (positive * nat)) : table :=
  fold_left (fun t entry => Map.add (fst entry) (snd entry) t) entries (Map.empty nat).

(** A state: a position after [made] moves, and whether play still has to come to a goal. *)
Record state : Set := State { waits : bool; made : nat; at_position : position }.

Definition key_of_state (x : state) : positive :=
  let key := key_of (made x) (at_position x) in if waits x then xI key else xO key.

Definition is_same_state (x y : state) : bool :=
  Bool.eqb (waits x) (waits y) && Nat.eqb (made x) (made y) &&
  is_same (turn (at_position x)) (turn (at_position y)) &&
  (if list_eq_dec Z.eq_dec (cells (at_position x)) (cells (at_position y)) then true else false).

Definition is_in (m : nat) (ms : list nat) : bool := some (Nat.eqb m) ms.

Section Walk.

Variable g : rules.
Variable s : setting.
Variable counted : bool.                              (* whether the number of moves matters *)
Variable on : bool.                                   (* whether play goes on after [done] *)
Variable done fine : view -> bool.
Variable t : table.

Definition label (n : nat) : nat := if counted then n else 0.

(** What [look] and [possible] give, worked out together. *)
Definition survey (n : nat) (p : position) : view * list (nat * position) :=
  let here := possible g p in (View p (Z.of_nat n) (is_nil here) (judge g p (is_nil here)), here).

(** The positions to which play goes on, of those after legal moves; [None] if the strategy or the table of the player to
    move fails. *)
Definition followers (n : nat) (v : view) (here : list (nat * position)) : option (list position) :=
  let p := seen v in
  let named := match strategy_of s (turn p) with None => None | Some phases => Some (choices v phases) end in
  let allowed := match named with
                 | None => here
                 | Some ms => filter (fun mq => is_in (fst mq) ms) here
                 end in
  if is_chooser s (turn p) then
    match Map.find (key_of n p) t with
    | None => None
    | Some m => match filter (fun mq => Nat.eqb (fst mq) m) allowed with [] => None | l => Some (map snd l) end
    end
  else
    match named with
    | None => Some (map snd allowed)
    | Some [] => None
    | Some ms => if all (fun m => is_in m (map fst here)) ms then Some (map snd allowed) else None
    end.

(** Of a state: what is seen, whether play still has to come to a goal after it, and the states that follow. *)
Definition study (x : state) : view * bool * option (list state) :=
  let '(v, here) := survey (made x) (at_position x) in
  let w := if waits x then negb (done v) else false in
  (v, w,
   if (if waits x then on || w else true) && goes_on s v then
     match followers (made x) v here with
     | None => None
     | Some qs => Some (map (State w (label (S (made x)))) qs)
     end
   else Some []).

(** ** Collecting all states

    Each with its rank: one more than the ranks of those that follow. *)

Inductive job : Set := Enter (x : state) | Leave (x : state) (after : list state).
Record walk := Walk { jobs : list job; met : Map.t (state * N) }.

Definition rank_in (m : Map.t (state * N)) (x : state) : N :=
  match Map.find (key_of_state x) m with Some (_, r) => r | None => 0 end.

Definition do_job (w : walk) : walk :=
  match jobs w with
  | [] => w
  | Enter x :: rest =>
      if Map.mem (key_of_state x) (met w) then Walk rest (met w)
      else
        let after := match study x with (_, _, Some ys) => ys | _ => [] end in
        Walk (map Enter after ++ Leave x after :: rest) (Map.add (key_of_state x) (x, 0%N) (met w))
  | Leave x after :: rest =>
      let r := fold_left (fun r y => N.max r (rank_in (met w) y)) after 0%N in
      Walk rest (Map.add (key_of_state x) (x, N.succ r) (met w))
  end.

(** Up to 2^[fuel] jobs. *)
Fixpoint do_jobs (fuel : nat) (w : walk) : walk :=
  match jobs w with
  | [] => w
  | _ :: _ => match fuel with 0 => do_job w | S fuel => do_jobs fuel (do_jobs fuel w) end
  end.

Definition collect (x : state) : Map.t (state * N) := met (do_jobs 40 (Walk [Enter x] (Map.empty _))).

(** ** The test of an entry *)

Definition is_right (m : Map.t (state * N)) (x : state) (r : N) : bool :=
  let '(v, w, after) := study x in
  (if w then goes_on s v else fine v) &&
  match after with
  | None => false
  | Some ys =>
      all (fun y => match Map.find (key_of_state y) m with
                    | Some (z, below) => is_same_state y z && (if w then N.ltb below r else true)
                    | None => false
                    end) ys
  end.

Definition is_closed (x : state) (m : Map.t (state * N)) : bool :=
  match Map.find (key_of_state x) m with Some (y, _) => is_same_state x y | None => false end &&
  all (fun entry => is_right m (fst (snd entry)) (snd (snd entry))) (Map.elements m).

Definition is_shown (waiting : bool) : bool :=
  let x := State waiting (label (moves_before s)) (start s) in is_closed x (collect x).

(** ** Lines *)

Definition is_allowed (v : view) (m : nat) : bool :=
  match strategy_of s (turn (seen v)) with None => true | Some phases => is_in m (choices v phases) end.

(** Where a line leads; [None] if a move cannot be made, or [done] is so before its end. *)
Fixpoint arrive (n : nat) (p : position) (line : list nat) : option (nat * position) :=
  if done (look g n p) then None else
  match line with
  | [] => Some (n, p)
  | m :: line =>
      if goes_on s (look g n p) && is_allowed (look g n p) m then
        match find (fun mq => Nat.eqb (fst mq) m) (legal g p) with
        | Some (_, q) => arrive (S n) q line
        | None => None
        end
      else None
  end.

(** The strategy of the player to move breaks down. *)
Definition breaks_down (n : nat) (v : view) : bool :=
  goes_on s v && negb (is_some (followers n v (legal g (seen v)))).

End Walk.

(** ** Whether the number of moves matters *)

Fixpoint is_timeless_term (t : term) : bool :=
  match t with
  | Ply => false
  | Num _ | Cell _ | Turn => true
  | Count fs => all is_timeless fs
  | Add ts => all is_timeless_term ts
  | Sub a b => is_timeless_term a && is_timeless_term b
  | If f a b => is_timeless f && is_timeless_term a && is_timeless_term b
  end
with is_timeless (f : formula) : bool :=
  match f with
  | Const _ | On _ | Stuck | Over | Wins _ => true
  | Not f => is_timeless f
  | And fs | Or fs | ExactlyOne fs => all is_timeless fs
  | Implies f g | Iff f g => is_timeless f && is_timeless g
  | Eq a b | Ne a b | Lt a b | Le a b | Gt a b | Ge a b => is_timeless_term a && is_timeless_term b
  end.

Definition is_timeless_strategy (phases : strategy) : bool :=
  all (all (fun i => is_timeless (opens i) && all (all (fun c => is_timeless (fst c))) (tries i))) phases.

Definition is_timeless_setting (s : setting) : bool :=
  negb (is_some (horizon s)) &&
  all (fun own => match own with None => true | Some phases => is_timeless_strategy phases end) [strategy_x s; strategy_o s].

Definition is_timeless_scope (where_ : scope) : bool := match where_ with AtStart => false | _ => true end.
Definition is_timeless_objective (o : objective) : bool :=
  match o with
  | Reach f k | Prevent f k => negb (is_some k) && is_timeless f
  | Keep at_ f | Possibly at_ f => all is_timeless_scope at_ && is_timeless f
  end.

(** ** The checks *)

(** A table, and whether the positions in it have their numbers; or a line. *)
Inductive evidence : Set := ByTable (counted : bool) (entries : list (positive * nat)) | ByLine (line : list nat).

(** What has to come, and what has to be so all the way. *)
Definition done_of (o : objective) : view -> bool :=
  match o with Reach goal k => is_met goal k | _ => fun _ => false end.

Definition fine_of (s : setting) (o : objective) : view -> bool :=
  match o with
  | Reach _ _ => fun _ => true
  | Prevent goal k => fun v => negb (is_met goal k v)
  | Keep at_ f => fun v => negb (is_seen s at_ (Not f) v)
  | Possibly at_ f => fun v => negb (is_seen s at_ f v)
  end.

Definition goes_on_after (o : objective) : bool := match o with Reach _ k => is_some k | _ => true end.
Definition is_reach (o : objective) : bool := match o with Reach _ _ => true | _ => false end.

Definition is_shown_by (g : rules) (s : setting) (o : objective) (counted : bool) (entries : list (positive * nat)) :=
  (counted || is_timeless_setting s && is_timeless_objective o) &&
  is_shown g s counted (goes_on_after o) (done_of o) (fine_of s o) (read_table entries) (is_reach o).

Definition check_one (g : rules) (s : setting) (o : objective) (e : evidence) : bool :=
  match o, e with
  | Possibly at_ f, ByLine line =>
      match arrive g s (fun _ => false) (moves_before s) (start s) line with
      | Some (n, p) => is_seen s at_ f (look g n p)
      | None => false
      end
  | Possibly _ _, ByTable _ _ | _, ByLine _ => false
  | _, ByTable counted entries => is_shown_by g s o counted entries
  end.

Definition check (g : rules) (c : claim) (es : list evidence) : bool :=
  Nat.eqb (length (objectives c)) (length es) &&
  all (fun pair => check_one g (plays c) (fst pair) (snd pair)) (combine (objectives c) es).

(** The same plays, in which the other player chooses, or nobody. *)
Definition led_by (who : player) (is_choosing : bool) (s : setting) : setting :=
  Setting (start s) (moves_before s) (horizon s) (strategy_x s) (strategy_o s) who is_choosing.
Definition opposed (s : setting) : setting := led_by (other (claimant s)) (chooses s) s.
Definition unchosen (s : setting) : setting := led_by (claimant s) false s.

Definition opposites (o : objective) : list objective :=
  match o with Reach goal k => [Prevent goal k] | Prevent goal k => [Reach goal k] | _ => [] end.

(** A line contradicts an objective at its end. A strategy breaks down there, or what has to be so is not; or, of what has
    to come and has not come before, a strategy breaks down, play ends, or it is too late. *)
Definition is_broken (g : rules) (s : setting) (o : objective) (line : list nat) : bool :=
  let ends (done : view -> bool) test :=
    match arrive g s done (moves_before s) (start s) line with None => false | Some (n, p) => test n (look g n p) end in
  goes_on_after o && ends (fun _ => false) (fun n v => breaks_down g s (Map.empty _) n v || negb (fine_of s o v)) ||
  is_reach o && ends (done_of o) (fun n v => breaks_down g s (Map.empty _) n v || negb (goes_on s v) ||
    match o with Reach _ (Some k) => Nat.leb k n | _ => false end).

(** An objective does not hold: by a line, where nobody chooses; or, if it says that a play exists, by all plays. *)
Definition is_refuted_by (g : rules) (s : setting) (e : evidence) (o : objective) : bool :=
  match o, e with
  | Possibly _ _, ByTable counted _ => is_shown_by g (unchosen s) o counted []
  | Possibly _ _, ByLine _ | _, ByTable _ _ => false
  | _, ByLine line => negb (chooses s) && is_broken g s o line
  end.

Definition refute (g : rules) (c : claim) (e : evidence) : bool := some (is_refuted_by g (plays c) e) (objectives c).

(** What the other player claims against a player who chooses: the opposite of each objective that has one. *)
Definition opponent_claim (c : claim) : claim := Claim (opposed (plays c)) (flat_map opposites (objectives c)).
