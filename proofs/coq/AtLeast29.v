(** * Olivia holds out until ply 29 (Lemmas 4 and 5)

    Plan: the strategy LBS of §4.2 as a rule, since it leaves some choices open; the statements; counting Xavier's marks;
    what LBS keeps true until each field has one of them (Lemma 5); a field that Xavier owns holds three of his marks,
    so that he needs six more (Lemma 4). Nothing is computed but the eight lines. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game Facts Play.

(** ** LBS (§4.2) *)

(** The number of Xavier's marks in a field. *)
Definition crosses (g : grid) : nat := length (filter (has Xavier g) nine).

Definition lacks_x (p : position) (f : nat) : bool := crosses (field p f) =? 0.
Definition untouched (p : position) (f : nat) : bool := forallb (is_free (field p f)) nine.

(** In field [j] she may play spot [i] if
    - step 1: she is the first to play there, and [i] is [j];
    - step 2: she is not, and field [i] has no X; or no free spot of field [j] leads to such a field. *)
Definition leads_on (p : position) (j i : nat) : bool := lacks_x p i && is_free (field p j) i.

Definition lbs_allows (p : position) (m : spot) : bool :=
  let '(j, i) := m in
  if untouched p j then i =? j else leads_on p j i || negb (existsb (leads_on p j) nine).

(** In every position that comes up, she plays legally, and as LBS allows. *)
Definition follows_lbs (s : strategy) : Prop :=
  forall p, reached Olivia s p -> turn p = Olivia -> legal_moves p <> [] ->
    In (s p) (legal_moves p) /\ lbs_allows p (s p) = true.

(** ** The statements *)

Definition lemma_4_statement : Prop := forall s, follows_lbs s -> holds_out 28 s.

Definition lemma_5_statement : Prop :=
  forall s, follows_lbs s -> forall p, reached Olivia s p -> ply p = 18 -> forall f, f < 9 -> crosses (field p f) = 1.

(** There is a strategy that follows LBS. *)
Definition lbs_exists_statement : Prop := exists s, follows_lbs s.

(** ** Counting Xavier's marks *)

Definition all_crosses (p : position) : nat := list_sum (map (fun f => crosses (field p f)) nine).

Lemma has_put : forall g s who t, s < length g ->
  has Xavier (put s (Some who) g) t = if t =? s then is_same Xavier who else has Xavier g t.
Proof.
  intros g s who t L. unfold has. destruct (Nat.eqb_spec t s) as [->|N].
  - rewrite nth_put_same by easy. now destruct who.
  - rewrite nth_put_other by congruence. easy.
Qed.

Lemma crosses_put_x : forall g s, s < length g -> s < 9 -> is_free g s = true ->
  crosses (put s (Some Xavier) g) = S (crosses g).
Proof.
  intros g s L N Free. unfold crosses. rewrite !length_filter_as_sum.
  apply sum_one_more with s; [apply NoDup_nine | now apply in_nine | |].
  - rewrite has_put, Nat.eqb_refl by easy. simpl. unfold has, is_free in *. destruct (nth s g None); easy.
  - intros t D. rewrite has_put by easy. now apply Nat.eqb_neq in D as ->.
Qed.

Lemma crosses_put_o : forall g s, s < length g -> is_free g s = true -> crosses (put s (Some Olivia) g) = crosses g.
Proof.
  intros g s L Free. unfold crosses. f_equal. apply filter_ext. intro t. rewrite has_put by easy.
  destruct (Nat.eqb_spec t s) as [->|]; [|easy]. unfold has, is_free in *. destruct (nth s g None); easy.
Qed.

Lemma free_where_played : forall p f s, In (f, s) (legal_moves p) -> is_free (field p f) s = true.
Proof. intros p f s I. apply legal_moves_are in I. tauto. Qed.

(** A play of hers changes no count, one of his the count of its field. *)
Lemma crosses_after : forall p f s g, well_formed p -> In (f, s) (legal_moves p) ->
  crosses (field (play p (f, s)) g) =
  match turn p with Xavier => if g =? f then S (crosses (field p g)) else crosses (field p g)
                  | Olivia => crosses (field p g) end.
Proof.
  intros p f s g W I. pose proof (legal_field p f s W I) as F. pose proof (legal_spot p f s I) as S_.
  pose proof (free_where_played p f s I) as Free.
  destruct (Nat.eqb_spec g f) as [->|N].
  - rewrite field_played by easy. destruct (turn p).
    + apply crosses_put_x; [now rewrite (nine_spots p W) | easy | easy].
    + apply crosses_put_o; [now rewrite (nine_spots p W) | easy].
  - rewrite other_fields by easy. now destruct (turn p).
Qed.

Lemma all_crosses_after : forall p m, well_formed p -> In m (legal_moves p) ->
  all_crosses (play p m) = match turn p with Xavier => S (all_crosses p) | Olivia => all_crosses p end.
Proof.
  intros p [f s] W I. pose proof (legal_field p f s W I) as F. unfold all_crosses. destruct (turn p) eqn:T.
  - apply sum_one_more with f; [apply NoDup_nine | now apply in_nine | |].
    + rewrite crosses_after, T, Nat.eqb_refl by easy. easy.
    + intros g N. rewrite crosses_after, T by easy. now apply Nat.eqb_neq in N as ->.
  - f_equal. apply map_ext. intro g. now rewrite crosses_after, T.
Qed.

(** Xavier has half of the marks, or one more at her turn. *)
Definition half_are_his (p : position) : Prop :=
  2 * all_crosses p = match turn p with Xavier => ply p | Olivia => S (ply p) end.

Lemma other_turn : forall p m, turn (play p m) = other (turn p).
Proof. now intros p []. Qed.

(** A field that he owns holds three of his marks. *)
Definition owns_by_three (p : position) : Prop := forall f, has Xavier (owners p) f = true -> 3 <= crosses (field p f).

Ltac each_line I := unfold lines in I; simpl in I; destruct I as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]].
Ltac each_of_three H :=
  pose proof (H _ (or_introl eq_refl)); pose proof (H _ (or_intror (or_introl eq_refl)));
  pose proof (H _ (or_intror (or_intror (or_introl eq_refl)))).

Lemma aligned_three : forall g, aligned Xavier g = true -> 3 <= crosses g.
Proof.
  intros g A. apply existsb_exists in A as (l & I & H). rewrite forallb_forall in H.
  unfold crosses. rewrite length_filter_as_sum. unfold nine. cbn [map list_sum fold_right].
  each_line I; each_of_three H; repeat match goal with E : has _ _ _ = true |- _ => rewrite E; clear E end; lia.
Qed.

Lemma owns_by_three_after : forall p m,
  well_formed p -> In m (legal_moves p) -> owns_by_three p -> owns_by_three (play p m).
Proof.
  intros p [f s] W I Own g H. pose proof (legal_field p f s W I) as F.
  assert (more : crosses (field p g) <= crosses (field (play p (f, s)) g))
    by (rewrite crosses_after by easy; destruct (turn p), (g =? f); lia).
  destruct (has Xavier (owners p) g) eqn:Before; [specialize (Own g Before); lia|].
  unfold play, owners_after in H; simpl in H. destruct (is_free (owners p) f); simpl in H; [|congruence].
  destruct (aligned (turn p) _) eqn:A; [|congruence].
  assert (L : f < length (owners p)) by (now rewrite (nine_owners p W)).
  rewrite has_put in H by easy. destruct (Nat.eqb_spec g f) as [->|]; [|congruence].
  destruct (turn p) eqn:T; [|easy]. rewrite field_played, T by easy. now apply aligned_three.
Qed.

(** ** Until each field has an X *)

(** Nobody has been sent to field [f]: spot [f] is free in every field. *)
Definition uncalled (p : position) (f : nat) : Prop := forall k, k < 9 -> is_free (field p k) f = true.

Definition at_most_one_each (p : position) : Prop := forall f, f < 9 -> crosses (field p f) <= 1.

(** Xavier to move: where he may play, he has no X yet; other fields without an X are untouched and uncalled. *)
Definition his_turn (p : position) : Prop :=
  at_most_one_each p /\
  (exists f, f < 9 /\ (active p = Some f \/ active p = None)) /\
  (forall f, f < 9 -> active p = Some f \/ active p = None -> lacks_x p f = true) /\
  (forall f, f < 9 -> lacks_x p f = true -> active p <> Some f -> untouched p f = true /\ uncalled p f).

(** Olivia to move: all fields without an X are untouched, and uncalled unless she has been sent there just now; and as
    long as there is one, she has been sent somewhere. *)
Definition her_turn (p : position) : Prop :=
  at_most_one_each p /\
  (forall f, f < 9 -> lacks_x p f = true ->
     untouched p f = true /\ (active p = Some f \/ uncalled p f) /\ exists j, active p = Some j).

Definition all_have_x (p : position) : Prop := forall f, f < 9 -> 1 <= crosses (field p f).

Definition lbs_keeps (p : position) : Prop :=
  all_have_x p \/ match turn p with Xavier => his_turn p | Olivia => her_turn p end.

Lemma some_lacks_x : forall p, all_have_x p \/ exists f, f < 9 /\ lacks_x p f = true.
Proof.
  intro p. destruct (existsb (lacks_x p) nine) eqn:E.
  - right. apply existsb_exists in E as (f & I & L). exists f. now rewrite <- in_nine.
  - left. intros f F. destruct (crosses (field p f)) eqn:C; [exfalso|lia].
    assert (T : existsb (lacks_x p) nine = true); [|congruence].
    apply existsb_exists. exists f. unfold lacks_x. now rewrite in_nine, C.
Qed.

Lemma untouched_is_free : forall p f s, untouched p f = true -> s < 9 -> is_free (field p f) s = true.
Proof. intros p f s U S_. unfold untouched in U. rewrite forallb_forall in U. apply U. now apply in_nine. Qed.

(** What a play leaves free. *)
Lemma free_after : forall p f s g t, well_formed p -> In (f, s) (legal_moves p) ->
  g <> f \/ t <> s -> is_free (field (play p (f, s)) g) t = is_free (field p g) t.
Proof.
  intros p f s g t W I D. pose proof (legal_field p f s W I) as F.
  destruct (Nat.eq_dec g f) as [->|N]; [|now rewrite other_fields].
  rewrite field_played by easy. unfold is_free. rewrite nth_put_other; [easy|]. destruct D; congruence.
Qed.

Lemma untouched_after : forall p f s g, g <> f -> untouched (play p (f, s)) g = untouched p g.
Proof. intros p f s g N. unfold untouched. now rewrite other_fields. Qed.

Lemma uncalled_after : forall p f s g, well_formed p -> In (f, s) (legal_moves p) -> g <> s ->
  uncalled p g -> uncalled (play p (f, s)) g.
Proof. intros p f s g W I N U k K. rewrite free_after by (auto; now right). now apply U. Qed.

Lemma has_room : forall g s, s < 9 -> is_free g s = true -> is_full g = false.
Proof. intros g s S_ Free. unfold is_full. apply negb_false_iff, existsb_exists. exists s. now rewrite in_nine. Qed.

(** Who plays spot [s] sends the other player to field [s], if it has a free spot [t]. *)
Lemma sent : forall p f s t, t < 9 -> is_free (field (play p (f, s)) s) t = true -> active (play p (f, s)) = Some s.
Proof.
  intros p f s t T_ Free.
  change (active (play p (f, s))) with (if is_full (field (play p (f, s)) s) then None else Some s).
  now rewrite (has_room _ t).
Qed.

Lemma his_play_keeps : forall p m, well_formed p -> turn p = Xavier -> In m (legal_moves p) ->
  his_turn p -> her_turn (play p m).
Proof.
  intros p [f s] W T I (One & _ & New & Rest). pose proof (legal_field p f s W I) as F.
  pose proof (legal_spot p f s I) as S_.
  assert (A : active p = Some f \/ active p = None) by (apply legal_moves_are in I; tauto).
  pose proof (New f F A) as Lf. unfold lacks_x in Lf. apply Nat.eqb_eq in Lf. split.
  - intros g G. rewrite crosses_after, T by easy. destruct (Nat.eqb_spec g f) as [->|]; [lia | now apply One].
  - intros g G Lg. unfold lacks_x in Lg. rewrite crosses_after, T in Lg by easy.
    destruct (Nat.eqb_spec g f) as [->|N]; [easy|].
    assert (Active : active p <> Some g) by (destruct A as [-> | ->]; congruence).
    destruct (Rest g G Lg Active) as [U C]. split; [now rewrite untouched_after|].
    destruct (Nat.eq_dec s g) as [->|Ns].
    + assert (E : active (play p (f, g)) = Some g)
        by (apply sent with 0; [lia|]; rewrite other_fields by easy; apply untouched_is_free; [easy | lia]).
      eauto.
    + split; [right; now apply uncalled_after; [| |congruence|]|]. exists s. apply sent with g; [easy|].
      rewrite free_after by (auto; right; congruence). now apply C.
Qed.

Lemma her_play_keeps : forall p m, well_formed p -> turn p = Olivia -> In m (legal_moves p) ->
  lbs_allows p m = true -> her_turn p -> all_have_x p \/ his_turn (play p m).
Proof.
  intros p [j i] W T I Lbs (One & Rest). destruct (some_lacks_x p) as [All|(x & X_ & Lx)]; [now left|right].
  pose proof (legal_field p j i W I) as J. pose proof (legal_spot p j i I) as I_.
  assert (Same : forall g, crosses (field (play p (j, i)) g) = crosses (field p g))
    by (intro g; now rewrite crosses_after, T).
  assert (Lacks : forall g, lacks_x (play p (j, i)) g = lacks_x p g) by (intro g; unfold lacks_x; now rewrite Same).
  assert (A : active p = Some j).
  { destruct (Rest x X_ Lx) as (_ & _ & k & A). apply legal_moves_are in I.
    destruct I as (_ & _ & [A'|[A' _]] & _); congruence. }
  (* She sends him to a field without an X, which has room. *)
  assert (To : lacks_x p i = true /\ active (play p (j, i)) = Some i).
  { unfold lbs_allows in Lbs. destruct (untouched p j) eqn:U.
    - apply Nat.eqb_eq in Lbs as ->. split.
      + unfold lacks_x, crosses. apply Nat.eqb_eq. unfold untouched in U. rewrite forallb_forall in U.
        assert (none : forall s, In s nine -> has Xavier (field p j) s = false).
        { intros s Is. specialize (U s Is). unfold is_free, has in *. destruct (nth s _ None); easy. }
        rewrite (filter_ext_in _ (fun _ => false) nine none). reflexivity.
      + apply sent with (if j =? 0 then 1 else 0); [destruct (j =? 0); lia|].
        rewrite free_after by (auto; right; destruct (Nat.eqb_spec j 0); lia).
        apply untouched_is_free; [easy | destruct (j =? 0); lia].
    - assert (leads : leads_on p j x = true).
      { unfold leads_on. rewrite Lx. destruct (Rest x X_ Lx) as (Ux & [Ax|Cx] & _); [congruence|]. now apply Cx. }
      assert (some : existsb (leads_on p j) nine = true) by (apply existsb_exists; exists x; now rewrite in_nine).
      rewrite some in Lbs. simpl in Lbs. rewrite orb_false_r in Lbs. apply andb_true_iff in Lbs as [Li _].
      split; [exact Li|]. destruct (Rest i I_ Li) as (Ui & _).
      apply sent with 0; [lia|]. rewrite other_fields by congruence. apply untouched_is_free; [easy | lia]. }
  destruct To as [Li Ai]. split; [|split; [|split]].
  - intros g G. rewrite Same. now apply One.
  - exists i. auto.
  - intros g G [B|B]; rewrite Lacks; rewrite Ai in B; [injection B as <-; exact Li | easy].
  - intros g G Lg N. rewrite Lacks in Lg. rewrite Ai in N.
    destruct (Rest g G Lg) as (U & D & _). destruct (Nat.eq_dec g j) as [->|Nj].
    + unfold lbs_allows in Lbs. rewrite U in Lbs. apply Nat.eqb_eq in Lbs. congruence.
    + destruct D as [B|C]; [congruence|]. split; [now rewrite untouched_after|].
      apply uncalled_after; congruence || easy.
Qed.

Lemma all_have_x_after : forall p m, well_formed p -> In m (legal_moves p) -> all_have_x p -> all_have_x (play p m).
Proof.
  intros p [f s] W I All g G. specialize (All g G). rewrite crosses_after by easy. destruct (turn p), (g =? f); lia.
Qed.

Lemma start_is_his : his_turn start.
Proof.
  assert (E : forall f, f < 9 -> field start f = empty_grid)
    by (intros f F; do 9 (destruct f as [|f]; [easy|]); lia).
  assert (Free : forall s, s < 9 -> is_free empty_grid s = true)
    by (intros s S_; do 9 (destruct s as [|s]; [easy|]); lia).
  split; [|split; [|split]].
  - intros f F. rewrite E by easy. apply Nat.le_0_l.
  - exists 0. split; [lia | now right].
  - intros f F _. unfold lacks_x. rewrite E by easy. reflexivity.
  - intros f F _ _. split; [unfold untouched; rewrite E by easy; reflexivity|].
    intros k K. rewrite E by easy. now apply Free.
Qed.

(** ** What holds in every play of LBS *)

Record kept (p : position) : Prop := {
  kept_by_lbs : lbs_keeps p;
  kept_half : half_are_his p;
  kept_owns : owns_by_three p
}.

Lemma lbs_reached : forall s, follows_lbs s -> forall p, reached Olivia s p -> kept p.
Proof.
  intros s Lbs p R. induction R as [|p m R [K H O] I Named].
  - split; [right; exact start_is_his | easy |].
    intros f Own. exfalso. unfold has, start in Own; simpl in Own.
    do 9 (destruct f as [|f]; [easy|]). now destruct f.
  - pose proof (reached_well_formed _ _ _ R) as W. split.
    + destruct K as [All|K]; [left; now apply all_have_x_after|]. unfold lbs_keeps. rewrite other_turn.
      destruct (turn p) eqn:T; simpl.
      * right. now apply his_play_keeps.
      * destruct (Lbs p R T) as [_ Allowed]; [intro none; now rewrite none in I|].
        rewrite <- (Named eq_refl) in Allowed.
        destruct (her_play_keeps p m W T I Allowed K); [left; now apply all_have_x_after | now right].
    + unfold half_are_his in *. rewrite other_turn, all_crosses_after, (ply_play p m W I) by easy.
      destruct (turn p); simpl; lia.
    + now apply owns_by_three_after.
Qed.

Lemma sum_of_nine : forall p, all_crosses p =
  crosses (field p 0) + crosses (field p 1) + crosses (field p 2) + crosses (field p 3) + crosses (field p 4) +
  crosses (field p 5) + crosses (field p 6) + crosses (field p 7) + crosses (field p 8).
Proof. intro p. unfold all_crosses. simpl. lia. Qed.

Ltac of_nine H := pose proof (H 0); pose proof (H 1); pose proof (H 2); pose proof (H 3); pose proof (H 4);
  pose proof (H 5); pose proof (H 6); pose proof (H 7); pose proof (H 8).

(** ** The theorems *)

Theorem lemma_5 : lemma_5_statement.
Proof.
  intros s Lbs p R Ply f F. destruct (lbs_reached s Lbs p R) as [K H _].
  pose proof (turns_alternate p (reached_well_formed _ _ _ R)) as T. rewrite Ply in T. simpl in T.
  unfold half_are_his in H. rewrite T, Ply, sum_of_nine in H. destruct K as [All|K].
  - of_nine All. do 9 (destruct f as [|f]; [lia|]). lia.
  - exfalso. rewrite T in K. destruct K as (One & (g & G & A) & New & _). specialize (New g G A).
    unfold lacks_x in New. apply Nat.eqb_eq in New. of_nine One.
    do 9 (destruct g as [|g]; [lia|]). lia.
Qed.

Lemma won_takes_15 : forall p, kept p -> has_won Xavier p = true -> 15 <= all_crosses p.
Proof.
  intros p [K _ Own] Won. apply existsb_exists in Won as (l & I & H). rewrite forallb_forall in H.
  assert (Three : forall f, In f l -> 3 <= crosses (field p f)) by (intros f If; now apply Own, H).
  assert (All : all_have_x p).
  { destruct K as [All|K]; [exact All|exfalso].
    assert (One : at_most_one_each p) by (destruct (turn p); apply K). of_nine One.
    each_line I; each_of_three Three; lia. }
  rewrite sum_of_nine. of_nine All. each_line I; each_of_three Three; lia.
Qed.

Theorem lemma_4 : lemma_4_statement.
Proof.
  intros s Lbs. split; [intros p R T some; now apply Lbs|].
  intros p R L. destruct (has_won Xavier p) eqn:Won; [exfalso|easy].
  pose proof (lbs_reached s Lbs p R) as K. pose proof (won_takes_15 p K Won) as Many.
  pose proof (kept_half p K) as H. unfold half_are_his in H. destruct (turn p); lia.
Qed.

(** Of the legal moves, the first that LBS allows. *)
Definition lbs : strategy := fun p =>
  match find (lbs_allows p) (legal_moves p) with Some m => m | None => (9, 9) end.

Theorem lbs_exists : lbs_exists_statement.
Proof.
  exists lbs. intros p R T some. pose proof (reached_well_formed _ _ _ R) as W.
  assert (E : exists m, In m (legal_moves p) /\ lbs_allows p m = true).
  { destruct (legal_moves p) as [|[j i] rest] eqn:Moves; [easy|].
    assert (I : In (j, i) (legal_moves p)) by (rewrite Moves; now left).
    rewrite <- Moves. clear some Moves rest. pose proof (legal_field p j i W I) as J.
    pose proof (proj1 (legal_moves_are p j i) I) as (X & O & A & _).
    destruct (untouched p j) eqn:U.
    - exists (j, j). split; [|unfold lbs_allows; now rewrite U, Nat.eqb_refl].
      apply legal_moves_are. repeat split; auto. now apply untouched_is_free.
    - destruct (existsb (leads_on p j) nine) eqn:E.
      + apply existsb_exists in E as (k & Ik & L). exists (j, k). split.
        * apply legal_moves_are. apply in_nine in Ik. apply andb_true_iff in L as [_ L]. auto.
        * unfold lbs_allows. now rewrite U, L.
      + exists (j, i). split; [exact I|]. unfold lbs_allows. now rewrite U, E, orb_true_r. }
  unfold lbs. destruct (find _ _) as [m|] eqn:F; [now apply find_some in F|].
  destruct E as (m & I & A). pose proof (find_none _ _ F m I). congruence.
Qed.

(** The second half of the title. *)
Theorem at_least_29 : at_least_29_statement.
Proof.
  intros n F. destruct (le_lt_dec 29 n) as [L|L]; [exact L|exfalso]. destruct lbs_exists as [s Lbs].
  apply (holds_out_prevents 28 s (lemma_4 s Lbs)). apply forces_monotone with n; [lia | exact F].
Qed.
