(** * Games as data, and how they are played

    A referee reads this file and [Claim.v], and nothing else, before he believes a theorem about a game.

    Plan: terms and formulas, and their values in what a player sees of a position; rules; which moves are legal and what
    they do; how a game ends. A position is the value of each cell and the player to move. The number of moves made is
    not part of it: claims count it beside the position.

    This is the family [general] of the verifier (proofs/README.md, section 3). Rules of one board are such rules, too:
    [Board.v] makes them of lines. *)

From Coq Require Import List ZArith Bool.
Import ListNotations.
Local Open Scope Z_scope.

Inductive player : Set := PlayerX | PlayerO.

Definition other (who : player) : player := match who with PlayerX => PlayerO | PlayerO => PlayerX end.
Definition is_same (a b : player) : bool := match a, b with PlayerX, PlayerX | PlayerO, PlayerO => true | _, _ => false end.
Definition number_of (who : player) : Z := match who with PlayerX => 1 | PlayerO => 2 end.

Record position : Set := Position { cells : list Z; turn : player }.

(** How a game stands. *)
Inductive outcome : Set := Going | Won (who : player) | Drawn.

Definition is_going (o : outcome) : bool := match o with Going => true | _ => false end.
Definition is_won_by (who : player) (o : outcome) : bool := match o with Won w => is_same w who | _ => false end.

(** ** Terms and formulas

    Cells have numbers, from 0 on. [On c] says that cell [c] is not 0. [Turn] is 1 if X is to move and 2 if O is. *)

Inductive term : Set :=
  | Num (n : Z) | Cell (c : nat) | Turn | Ply
  | Count (fs : list formula)                       (* how many of these hold *)
  | Add (ts : list term) | Sub (a b : term)
  | If (f : formula) (a b : term)
with formula : Set :=
  | Const (b : bool) | On (c : nat)
  | Stuck | Over | Wins (who : player)
  | Not (f : formula) | And (fs : list formula) | Or (fs : list formula)
  | Implies (f g : formula) | Iff (f g : formula) | ExactlyOne (fs : list formula)
  | Eq (a b : term) | Ne (a b : term) | Lt (a b : term) | Le (a b : term) | Gt (a b : term) | Ge (a b : term).

(** What formulas speak of: a position, the number of moves made, whether the player to move has no legal move, and how
    the game stands. *)
Record view : Set := View { seen : position; ply : Z; is_stuck : bool; stands : outcome }.

Definition all {A} (test : A -> bool) : list A -> bool :=
  fix all l := match l with [] => true | a :: l => if test a then all l else false end.
Definition some {A} (test : A -> bool) : list A -> bool :=
  fix some l := match l with [] => false | a :: l => if test a then true else some l end.
Definition count {A} (test : A -> bool) : list A -> Z :=
  fix count l := match l with [] => 0 | a :: l => if test a then 1 + count l else count l end.
Definition total {A} (value : A -> Z) : list A -> Z :=
  fix total l := match l with [] => 0 | a :: l => value a + total l end.

Fixpoint value (v : view) (t : term) {struct t} : Z :=
  match t with
  | Num n => n
  | Cell c => nth c (cells (seen v)) 0
  | Turn => number_of (turn (seen v))
  | Ply => ply v
  | Count fs => count (true_in v) fs
  | Add ts => total (value v) ts
  | Sub a b => value v a - value v b
  | If f a b => if true_in v f then value v a else value v b
  end
with true_in (v : view) (f : formula) {struct f} : bool :=
  match f with
  | Const b => b
  | On c => negb (nth c (cells (seen v)) 0 =? 0)
  | Stuck => is_stuck v
  | Over => negb (is_going (stands v))
  | Wins who => is_won_by who (stands v)
  | Not f => negb (true_in v f)
  | And fs => all (true_in v) fs
  | Or fs => some (true_in v) fs
  | Implies f g => if true_in v f then true_in v g else true
  | Iff f g => Bool.eqb (true_in v f) (true_in v g)
  | ExactlyOne fs => count (true_in v) fs =? 1
  | Eq a b => value v a =? value v b
  | Ne a b => negb (value v a =? value v b)
  | Lt a b => value v a <? value v b
  | Le a b => value v a <=? value v b
  | Gt a b => value v b <? value v a
  | Ge a b => value v b <=? value v a
  end.

(** A condition is set to a formula: 1 if it holds, 0 if not. *)
Definition truth (f : formula) : term := If f (Num 1) (Num 0).

(** ** Rules

    A cell has values from [fst] to [snd] of its range. A move has an action for a player who can make it. A player who
    makes it needs the guard. The new values are worked out before any cell changes. If [next] is [None], the other
    player is next; otherwise it says who: 1 is X, 2 is O. Of the outcomes the first whose formula holds counts. *)

Record action : Set := Action { guard : formula; changes : list (nat * term); next : option term }.
Record move : Set := Move { for_x : option action; for_o : option action }.
Definition for_both (a : action) : move := Move (Some a) (Some a).
Inductive verdict : Set := WonBy (who : player) | Draw | GoesOn | WonByNext | WonByPrevious.
Record rules : Set := Rules { ranges : list (Z * Z); moves : list move; outcomes : list (formula * verdict) }.

(** The formulas of moves speak of cells and of whose turn it is; all other words are false, or 0, there. *)
Definition plain (p : position) : view := View p 0 false Going.

Fixpoint put (c : nat) (n : Z) (l : list Z) : list Z :=
  match l, c with [], _ => [] | _ :: l, 0%nat => n :: l | m :: l, S c => m :: put c n l end.

Definition is_within (range : Z * Z) (n : Z) : bool := (fst range <=? n) && (n <=? snd range).

(** [into] with the changes made; [None] if a new value is out of its range. *)
Fixpoint change (g : rules) (v : view) (cs : list (nat * term)) (into : list Z) : option (list Z) :=
  match cs with
  | [] => Some into
  | (c, t) :: cs =>
      let n := value v t in if is_within (nth c (ranges g) (1, 0)) n then change g v cs (put c n into) else None
  end.

Definition next_turn (v : view) (t : option term) : option player :=
  match t with
  | None => Some (other (turn (seen v)))
  | Some t => match value v t with 1 => Some PlayerX | 2 => Some PlayerO | _ => None end
  end.

(** The position after a move, whether or not the game is over; [None] if the player to move cannot make it. *)
Definition after (g : rules) (p : position) (m : move) : option position :=
  match match turn p with PlayerX => for_x m | PlayerO => for_o m end with
  | None => None
  | Some a =>
      if true_in (plain p) (guard a) then
        match change g (plain p) (changes a) (cells p), next_turn (plain p) (next a) with
        | Some values, Some who => Some (Position values who)
        | _, _ => None
        end
      else None
  end.

(** The moves that can be made, by their numbers from [m] on, each with the position after it. *)
Fixpoint possible_from (g : rules) (p : position) (m : nat) (ms : list move) : list (nat * position) :=
  match ms with
  | [] => []
  | a :: ms =>
      match after g p a with
      | Some q => (m, q) :: possible_from g p (S m) ms
      | None => possible_from g p (S m) ms
      end
  end.

Definition possible (g : rules) (p : position) : list (nat * position) := possible_from g p 0 (moves g).

(** ** How a game stands *)

Fixpoint first_verdict (v : view) (cs : list (formula * verdict)) : verdict :=
  match cs with [] => GoesOn | (f, r) :: cs => if true_in v f then r else first_verdict v cs end.

(** How the game stands in [p], where [stuck] says that the player to move has no legal move: that is a draw, unless the
    rules say otherwise. *)
Definition judge (g : rules) (p : position) (stuck : bool) : outcome :=
  match first_verdict (View p 0 stuck Going) (outcomes g) with
  | WonBy who => Won who
  | Draw => Drawn
  | GoesOn => if stuck then Drawn else Going
  | WonByNext => Won (turn p)
  | WonByPrevious => Won (other (turn p))
  end.

Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.

Definition outcome_of (g : rules) (p : position) : outcome := judge g p (is_nil (possible g p)).

(** The legal moves, each with the position after it; none if the game is over. *)
Definition legal (g : rules) (p : position) : list (nat * position) :=
  if is_going (outcome_of g p) then possible g p else [].

(** What formulas of claims and strategies speak of, after [n] moves. *)
Definition look (g : rules) (n : nat) (p : position) : view :=
  View p (Z.of_nat n) (is_nil (possible g p)) (outcome_of g p).
