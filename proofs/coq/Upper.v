(** * The upper bound: the strategy of §2 wins by ply 43 (Lemma 3, Corollary 1)

    Plan: what it is to follow a strategy and to win by it; the theorems' statements; a check that follows a strategy ply
    by ply, against all replies, and keeps each position once; its soundness; the theorems, by running it.

    The plays of the strategy meet 63,960 different positions, at most 8,848 of them at one ply. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game Facts Strategy.

(** ** Following a strategy, and the statements *)

(** The positions that come up where Xavier follows [strategy]. *)
Inductive reached (strategy : position -> spot) : position -> Prop :=
| at_the_start : reached strategy start
| by_strategy p :
    reached strategy p -> turn p = Xavier -> In (strategy p) (legal_moves p) -> reached strategy (play p (strategy p))
| by_any_reply p m :
    reached strategy p -> turn p = Olivia -> In m (legal_moves p) -> reached strategy (play p m).

(** Whoever follows it has won by ply [n]: in every position that comes up, he has won by then, or it is earlier, the
    game goes on, and where it is his turn the strategy names a legal move. *)
Definition wins_by (n : nat) (strategy : position -> spot) : Prop :=
  forall p, reached strategy p ->
    has_won Xavier p = true /\ ply p <= n \/
    ply p < n /\ legal_moves p <> [] /\ (turn p = Xavier -> In (strategy p) (legal_moves p)).

Definition lemma_3_statement : Prop := wins_by 43 xavier.

(** Against some replies he has not won by ply 42, so that it takes him 43. *)
Definition needs_43_statement : Prop :=
  exists p, reached xavier p /\ ply p = 42 /\ has_won Xavier p = false.

(** The properties hold, at Olivia's turns of the endgame, as long as Xavier has not won; and he does win. *)
Definition corollary_1_statement : Prop :=
  (forall p, reached xavier p -> is_endgame_of_hers p = true -> has_won Xavier p = true \/ P1_to_P6 p = true) /\
  wins_by 81 xavier.

(** ** Each position once

    A tree of positions, branching by the squares of the board. Nothing hangs on it but that no position is lost. *)

Inductive tree := Empty | Node (here : list position) (free xs os : tree).

Definition position_eq_dec : forall p q : position, {p = q} + {p <> q}.
Proof. repeat decide equality. Defined.

Definition add_once (p : position) (l : list position) : list position :=
  if in_dec position_eq_dec p l then l else p :: l.

Fixpoint insert (squares : grid) (p : position) (t : tree) : tree :=
  match squares, t with
  | [], Empty => Node [p] Empty Empty Empty
  | [], Node here a b c => Node (add_once p here) a b c
  | None :: rest, Empty => Node [] (insert rest p Empty) Empty Empty
  | Some Xavier :: rest, Empty => Node [] Empty (insert rest p Empty) Empty
  | Some Olivia :: rest, Empty => Node [] Empty Empty (insert rest p Empty)
  | None :: rest, Node here a b c => Node here (insert rest p a) b c
  | Some Xavier :: rest, Node here a b c => Node here a (insert rest p b) c
  | Some Olivia :: rest, Node here a b c => Node here a b (insert rest p c)
  end.

Fixpoint positions (t : tree) : list position :=
  match t with Empty => [] | Node here a b c => here ++ positions a ++ positions b ++ positions c end.

Definition distinct (l : list position) : list position :=
  positions (fold_right (fun p => insert (concat (fields p)) p) Empty l).

Lemma in_insert : forall squares p q t, q = p \/ In q (positions t) -> In q (positions (insert squares p t)).
Proof.
  induction squares as [|[[]|] rest IH]; intros p q [|here a b c] H; simpl in *;
    rewrite ?app_nil_r, ?in_app_iff in *; try (apply IH; simpl; tauto); try (specialize (IH p q)); intuition.
  - unfold add_once. destruct (in_dec _ _ _); subst; simpl; tauto.
  - unfold add_once. destruct (in_dec _ _ _); simpl; tauto.
Qed.

Lemma in_distinct : forall l p, In p l -> In p (distinct l).
Proof.
  induction l as [|q l IH]; intros p I; [easy|]. apply in_insert. destruct I as [->|I]; [now left|right; now apply IH].
Qed.

(** ** The check *)

Definition spot_eq_dec : forall m k : spot, {m = k} + {m <> k}.
Proof. repeat decide equality. Defined.

Section Check.

Variable strategy : position -> spot.
Variable keeps : position -> bool.

(** The strategy names a legal move, or she has one, and the position is as it should be. *)
Definition goes_on (p : position) : bool :=
  match turn p with
  | Xavier => if in_dec spot_eq_dec (strategy p) (legal_moves p) then keeps p else false
  | Olivia => negb (is_over p) && keeps p
  end.

Definition after (p : position) : list position :=
  if has_won Xavier p then []
  else match turn p with Xavier => [play p (strategy p)] | Olivia => map (play p) (legal_moves p) end.

Fixpoint check (n : nat) (level : list position) : bool :=
  match n with
  | 0 => forallb (has_won Xavier) level
  | S n =>
      if forallb (fun p => if has_won Xavier p then true else goes_on p) level
      then check n (distinct (flat_map after level)) else false
  end.

Lemma reached_well_formed : forall p, reached strategy p -> well_formed p.
Proof. intros p R. induction R; [apply start_well_formed | now apply play_well_formed..]. Qed.

(** Every position that comes up is in some level that has been checked. *)
Lemma check_meets : forall n p, check n [start] = true -> reached strategy p ->
  exists k level, check k level = true /\ In p level /\ ply p + k = n.
Proof.
  intros n p C R.
  assert (next : forall p m, reached strategy p -> In m (legal_moves p) ->
            (turn p = Xavier -> m = strategy p) ->
            (exists k level, check k level = true /\ In p level /\ ply p + k = n) ->
            exists k level, check k level = true /\ In (play p m) level /\ ply (play p m) + k = n).
  { clear p R. intros p m R I Named (k & level & Ck & In_ & E).
    pose proof (not_won_where_moves p m Xavier I) as Not. destruct k as [|k]; simpl in Ck.
    - rewrite forallb_forall in Ck. rewrite (Ck p In_) in Not. easy.
    - destruct (forallb _ _) in Ck; [|easy]. exists k, (distinct (flat_map after level)). split; [exact Ck|]. split.
      + apply in_distinct, in_flat_map. exists p. split; [exact In_|]. unfold after. rewrite Not.
        destruct (turn p); [left; now rewrite Named | now apply in_map].
      + rewrite ply_play; [lia | now apply reached_well_formed | exact I]. }
  induction R as [|p R IH T I|p m R IH T I].
  - exists n, [start]. simpl. auto.
  - now apply next.
  - apply next; try easy. now rewrite T.
Qed.

Lemma check_sound : forall n, check n [start] = true -> forall p, reached strategy p ->
  has_won Xavier p = true /\ ply p <= n \/
  has_won Xavier p = false /\ ply p < n /\ goes_on p = true.
Proof.
  intros n C p R. destruct (check_meets n p C R) as (k & level & Ck & I & E).
  destruct (has_won Xavier p) eqn:Won; [left; lia|]. right.
  destruct k as [|k]; simpl in Ck.
  - rewrite forallb_forall in Ck. rewrite (Ck p I) in Won. easy.
  - destruct (forallb _ _) eqn:All in Ck; [|easy]. rewrite forallb_forall in All.
    specialize (All p I). simpl in All. rewrite Won in All. repeat split; [lia | exact All].
Qed.

Theorem check_wins : forall n, check n [start] = true -> wins_by n strategy.
Proof.
  intros n C p R. destruct (check_sound n C p R) as [Won|(_ & Early & G)]; [now left|right].
  split; [exact Early|]. unfold goes_on in G. destruct (turn p) eqn:T.
  - destruct (in_dec _ _ _) as [I|_] in G; [|easy]. split; [|easy]. intro none. now rewrite none in I.
  - apply andb_true_iff in G as [Moves _]. unfold is_over in Moves. destruct (legal_moves p); easy.
Qed.

Theorem check_keeps : forall n, check n [start] = true -> forall p, reached strategy p ->
  has_won Xavier p = true \/ keeps p = true.
Proof.
  intros n C p R. destruct (check_sound n C p R) as [Won|(_ & _ & G)]; [tauto|right].
  unfold goes_on in G. destruct (turn p).
  - destruct (in_dec _ _ _) in G; easy.
  - now apply andb_true_iff in G.
Qed.

(** ** Whoever has a strategy that wins by ply [n] can force a win by ply [n] *)

Theorem wins_by_forces : forall n, wins_by n strategy -> forces n start.
Proof.
  intros n Wins.
  assert (from : forall k p, n - ply p <= k -> reached strategy p -> forces n p).
  { induction k as [|k IH]; intros p Far R.
    all: destruct (Wins p R) as [[Won L]|(Early & Moves & Named)]; [now apply has_won_in_time|].
    - lia.
    - assert (later : forall m, In m (legal_moves p) -> reached strategy (play p m) -> forces n (play p m)).
      { intros m I R'. apply IH; [|exact R']. rewrite ply_play; [lia | now apply reached_well_formed | exact I]. }
      destruct (turn p) eqn:T.
      + specialize (Named eq_refl). apply (by_his_move n p (strategy p) T Named), later; [exact Named|].
        now apply by_strategy.
      + apply by_all_her_moves; [exact T | exact Moves|]. intros m I. apply later; [exact I|]. now apply by_any_reply. }
  apply (from n); [lia | apply at_the_start].
Qed.

Lemma wins_by_monotone : forall n k, n <= k -> wins_by n strategy -> wins_by k strategy.
Proof. intros n k Le Wins p R. destruct (Wins p R) as [[Won L]|(Early & Rest)]; [left|right]; split; auto; lia. Qed.

(** ** One play of the strategy, by the list of her replies *)

Fixpoint follow (replies : list spot) (p : position) : option position :=
  match replies with
  | [] => Some p
  | m :: rest =>
      let q := play p (strategy p) in
      if in_dec spot_eq_dec (strategy p) (legal_moves p) then
        if in_dec spot_eq_dec m (legal_moves q) then follow rest (play q m) else None
      else None
  end.

Lemma follow_reached : forall replies p q,
  reached strategy p -> turn p = Xavier -> follow replies p = Some q -> reached strategy q.
Proof.
  induction replies as [|m rest IH]; intros p q R T F; simpl in F; [now injection F as <-|].
  destruct (in_dec _ _ _) as [I|_] in F; [|easy]. destruct (in_dec _ _ _) as [I'|_] in F; [|easy].
  assert (T' : turn (play p (strategy p)) = Olivia) by (destruct (strategy p); simpl; now rewrite T).
  apply IH in F; [exact F| |].
  - apply by_any_reply; [now apply by_strategy | exact T' | exact I'].
  - destruct m; simpl in *. now rewrite T'.
Qed.

End Check.

(** ** The theorems *)

Lemma checked : check xavier (fun p => implies (is_endgame_of_hers p) (P1_to_P6 p)) 43 [start] = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem lemma_3 : lemma_3_statement.
Proof. exact (check_wins _ _ 43 checked). Qed.

Theorem corollary_1 : corollary_1_statement.
Proof.
  split.
  - intros p R Hers. destruct (check_keeps _ _ 43 checked p R) as [Won|Keeps]; [now left|right].
    now rewrite Hers in Keeps.
  - apply wins_by_monotone with 43; [repeat constructor | exact lemma_3].
Qed.

Theorem at_most_43 : at_most_43_statement.
Proof. exact (wins_by_forces xavier 43 lemma_3). Qed.

(** §4.1, proof of Lemma 3: she keeps spot 8 of field 0 for last, plays in field 8 all spots but 5 and 7, and then 5. *)
Definition slowest_replies : list spot :=
  [(4, 1); (4, 2); (4, 3); (4, 5); (4, 6); (4, 7); (4, 8); (4, 0);
   (0, 1); (0, 2); (0, 3); (0, 4); (0, 5); (0, 6); (0, 7); (0, 8);
   (8, 1); (8, 2); (8, 3); (8, 6); (8, 5)].

Theorem needs_43 : needs_43_statement.
Proof.
  destruct (follow xavier slowest_replies start) as [p|] eqn:F; [|vm_compute in F; easy].
  exists p. split; [exact (follow_reached _ _ _ _ (at_the_start _) eq_refl F)|].
  vm_compute in F. injection F as <-. split; reflexivity.
Qed.
