(** * What is claimed of plays

    Nothing here speaks of tables or of checks. The file ends with [holds], the statement of every theorem about a game.

    Plan: strategies as ordered rules; where plays start and end, and who moves how; [comes_to], the plays; [keeps], that
    something is so all the way, and [forces], that something comes to be; objectives, and what it means that they hold.

    The player who chooses can bring something about by his moves. If nobody chooses, it is so in every play. *)

From Coq Require Import List ZArith Bool.
Import ListNotations.
From General Require Import Game.

(** ** Strategies

    The phase in force is the first that has an instance that is open. Each open instance of this phase gives the choices
    of its first rule that has any; together they are the moves of the strategy. There may be several, or none. *)

Definition rule : Set := list (formula * nat).
Record instance : Set := Instance { opens : formula; tries : list rule }.
Definition strategy : Set := list (list instance).

Definition offers (v : view) (r : rule) : list nat := map snd (filter (fun choice => true_in v (fst choice)) r).

Fixpoint first_offer (v : view) (rs : list rule) : list nat :=
  match rs with [] => [] | r :: rs => match offers v r with [] => first_offer v rs | offered => offered end end.

Fixpoint choices (v : view) (phases : strategy) : list nat :=
  match phases with
  | [] => []
  | phase :: phases =>
      match filter (fun i => true_in v (opens i)) phase with
      | [] => choices v phases
      | opened => flat_map (fun i => first_offer v (tries i)) opened
      end
  end.

(** ** Plays

    A play starts at [start], after [moves_before] moves. It ends where the game is over, or after [horizon] moves. A
    player who has a strategy makes its moves, a player who has none any legal move. If [chooses], the claimant may choose
    among these. *)

Record setting : Set := Setting {
  start : position; moves_before : nat; horizon : option nat;
  strategy_x : option strategy; strategy_o : option strategy;
  claimant : player; chooses : bool }.

Section Plays.

Variable g : rules.
Variable s : setting.

Definition goes_on (v : view) : bool :=
  is_going (stands v) && match horizon s with None => true | Some last => (ply v <? Z.of_nat last)%Z end.

Definition strategy_of (who : player) : option strategy := match who with PlayerX => strategy_x s | PlayerO => strategy_o s end.

(** The strategy of the player to move, if there is one, has move [m]. *)
Definition allows (v : view) (m : nat) : Prop :=
  match strategy_of (turn (seen v)) with None => True | Some phases => In m (choices v phases) end.

(** It has a move, and no move that is not legal. *)
Definition is_sound (v : view) : Prop :=
  match strategy_of (turn (seen v)) with
  | None => True
  | Some phases => choices v phases <> [] /\
                   forall m, In m (choices v phases) -> In m (map fst (legal g (seen v)))
  end.

Definition is_chooser (who : player) : bool := chooses s && is_same who (claimant s).

(** [comes_to n p]: some play comes to [p] after [n] moves. *)
Inductive comes_to : nat -> position -> Prop :=
| at_the_start : comes_to (moves_before s) (start s)
| by_a_move n p m q :
    comes_to n p -> goes_on (look g n p) = true -> In (m, q) (legal g p) -> allows (look g n p) m -> comes_to (S n) q.

(** [keeps fine n p]: from [p] on, [fine] is so in every position to which play comes, whatever the players do who do not
    choose; and no strategy breaks down. Plays may go on for ever, so this is co-inductive. *)
CoInductive keeps (fine : view -> bool) : nat -> position -> Prop :=
| to_the_end n p :
    fine (look g n p) = true -> goes_on (look g n p) = false -> keeps fine n p
| by_a_choice n p m q :
    fine (look g n p) = true -> goes_on (look g n p) = true -> is_chooser (turn p) = true ->
    In (m, q) (legal g p) -> allows (look g n p) m -> keeps fine (S n) q -> keeps fine n p
| by_all_moves n p :
    fine (look g n p) = true -> goes_on (look g n p) = true -> is_chooser (turn p) = false -> is_sound (look g n p) ->
    (forall m q, In (m, q) (legal g p) -> allows (look g n p) m -> keeps fine (S n) q) -> keeps fine n p.

(** [forces on done n p]: from [p] on, play comes to a position in which [done] is so, whatever the players do who do not
    choose; and no strategy breaks down before. If play goes [on] there, no strategy breaks down later either. *)
Inductive forces (on : bool) (done : view -> bool) : nat -> position -> Prop :=
| is_done n p :
    done (look g n p) = true -> (on = true -> keeps (fun _ => true) n p) -> forces on done n p
| forces_by_a_choice n p m q :
    goes_on (look g n p) = true -> is_chooser (turn p) = true ->
    In (m, q) (legal g p) -> allows (look g n p) m -> forces on done (S n) q -> forces on done n p
| forces_by_all_moves n p :
    goes_on (look g n p) = true -> is_chooser (turn p) = false -> is_sound (look g n p) ->
    (forall m q, In (m, q) (legal g p) -> allows (look g n p) m -> forces on done (S n) q) -> forces on done n p.

(** ** Objectives

    [Reach] and [Prevent] have a bound: the goal counts after at most so many moves. [None] is no bound: then play
    ends at the goal of a [Reach]. [Keep] and [Possibly] speak of positions in one of their scopes. *)

Inductive scope : Set := Every | AtStart | OfClaimant | OfOpponent | AtEnd.

Inductive objective : Set :=
  | Reach (goal : formula) (by_ply : option nat)
  | Prevent (goal : formula) (through : option nat)
  | Keep (at_ : list scope) (f : formula)
  | Possibly (at_ : list scope) (f : formula).

Definition is_at (v : view) (where_ : scope) : bool :=
  match where_ with
  | Every => true
  | AtStart => (ply v =? Z.of_nat (moves_before s))%Z && is_same (turn (seen v)) (turn (start s)) &&
               (if list_eq_dec Z.eq_dec (cells (seen v)) (cells (start s)) then true else false)
  | OfClaimant => goes_on v && is_same (turn (seen v)) (claimant s)
  | OfOpponent => goes_on v && is_same (turn (seen v)) (other (claimant s))
  | AtEnd => negb (is_going (stands v))
  end.

(** The goal is met in time. *)
Definition is_met (goal : formula) (bound : option nat) (v : view) : bool :=
  if match bound with None => true | Some k => (ply v <=? Z.of_nat k)%Z end then true_in v goal else false.

(** The position is in one of the scopes, and [f] holds there. *)
Definition is_seen (at_ : list scope) (f : formula) (v : view) : bool := if some (is_at v) at_ then true_in v f else false.

Definition is_some {A} (o : option A) : bool := match o with Some _ => true | None => false end.

Definition meets (o : objective) : Prop :=
  match o with
  | Reach goal k => forces (is_some k) (is_met goal k) (moves_before s) (start s)
  | Prevent goal k => keeps (fun v => negb (is_met goal k v)) (moves_before s) (start s)
  | Keep at_ f => keeps (fun v => negb (is_seen at_ (Not f) v)) (moves_before s) (start s)
  | Possibly at_ f => exists n p, comes_to n p /\ is_seen at_ f (look g n p) = true
  end.

End Plays.

(** A claim: a setting, and what is claimed of its plays. If somebody chooses, each objective is claimed for itself: there
    need not be one way to choose that brings about them all. *)

Record claim : Set := Claim { plays : setting; objectives : list objective }.

Definition holds (g : rules) (c : claim) : Prop := Forall (meets g (plays c)) (objectives c).
